/** The texts of keyboard shortcuts in French. */

import type { Texts } from '../texts.ts';

export const keys: Texts['keys'] = {
  open: 'Raccourcis clavier',
  title: 'Raccourcis clavier',
  names: {
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    PageUp: 'Page préc.',
    PageDown: 'Page suiv.',
    Escape: 'Échap',
  },
  scopes: {
    page: {
      title: 'Partout',
      actions: { search: 'Rechercher', keys: 'Afficher ces raccourcis' },
    },
    search: {
      title: 'Recherche',
      actions: {
        next: 'Résultat suivant',
        previous: 'Résultat précédent',
        open: 'Ouvrir le résultat',
        close: 'Fermer les résultats',
      },
    },
    chart: {
      title: 'Graphique',
      actions: {
        earlier: 'Barre précédente (avec Maj\u00A0: sélectionner)',
        later: 'Barre suivante (avec Maj\u00A0: sélectionner)',
        first: 'Première barre',
        last: 'Dernière barre',
        open: 'Zoomer',
        close: 'Annuler la sélection',
      },
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
