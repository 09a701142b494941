/** The texts of one transaction and of keyboard shortcuts in French. */

import type { Texts } from './texts.ts';

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
  paid: (payment) => `Dans le paiement ${payment}`,
  notInList: 'Absente des lignes chargées de la liste\u00A0: ni précédente ni suivante.',
};

export const keys: Texts['keys'] = {
  open: 'Raccourcis clavier',
  title: 'Raccourcis clavier',
  names: {
    ArrowUp: '↑',
    ArrowDown: '↓',
    PageUp: 'Page préc.',
    PageDown: 'Page suiv.',
    Escape: 'Échap',
  },
  scopes: {
    page: {
      title: 'Partout',
      actions: { keys: 'Afficher ces raccourcis' },
    },
    list: {
      title: 'Liste',
      actions: {
        up: 'Ligne précédente',
        down: 'Ligne suivante',
        pageUp: 'Un écran plus haut',
        pageDown: 'Un écran plus bas',
        first: 'Première ligne',
        last: 'Dernière ligne',
        open: 'Ouvrir la transaction',
      },
    },
    row: {
      title: 'Transaction',
      actions: {
        next: 'Transaction suivante',
        previous: 'Transaction précédente',
        close: 'Fermer',
      },
    },
  },
};
