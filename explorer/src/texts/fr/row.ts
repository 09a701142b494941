/** The texts of one transaction in French. */

import type { Texts } from '../texts.ts';

export const row: Texts['row'] = {
  copyLink: 'Copier le lien',
  timeline: 'Chronologie',
  events: {
    firstClick: 'Premier clic',
    lastClick: 'Dernier clic',
    created: 'Création',
    validated: 'Validation',
    refused: 'Refus (dernière modification)',
    changed: 'Dernière modification',
  },
  paid: (payment) => `Incluse dans le paiement ${payment}`,
  notInList:
    'Cette transaction n’est pas parmi les lignes chargées de la liste\u00A0: il n’y a ni précédente ni suivante.',
};
