/** The texts of the chart over time in French. */

import type { Texts } from '../texts.ts';

export const chart: Texts['chart'] = {
  granularity: 'Graphique par',
  granularities: { hour: 'Heure', day: 'Jour', week: 'Semaine', month: 'Mois' },
  zoomOut: 'Zoom arrière',
  zoomKeys:
    'Maintenez Maj avec les flèches pour sélectionner plusieurs barres, puis appuyez sur Entrée pour zoomer.',
  moveKeys: 'Utilisez les flèches pour parcourir le graphique.',
  selected: (when) => `Sélection\u00A0: ${when}. Entrée pour zoomer, Échap pour annuler.`,
  former: { previous: 'Période précédente', year: 'Année précédente', none: '' },
  before: (value) => `avant\u00A0: ${value}`,
  incomplete: { open: 'en cours', missing: 'pas encore de données' },
  dataUntil: (day, time) => `Dernières données\u00A0: ${day}, après ${time}`,
  noDataSince: (day) => `Aucune donnée depuis le ${day}`,
};
