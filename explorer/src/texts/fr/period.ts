/** The texts of the date picker in French. */

import type { Texts } from '../texts.ts';

export const period: Texts['period'] = {
  presets: 'Périodes prédéfinies',
  hint: 'Choisissez le premier jour, puis le dernier.',
  begun: (day) => `À partir du ${day}. Choisissez le dernier jour.`,
  wholeMonth: (month) => `Tout le mois\u00A0: ${month}`,
  previousMonth: 'Mois précédent',
  nextMonth: 'Mois suivant',
  month: 'Mois',
  year: 'Année',
  noData: 'aucune donnée',
};
