/** The texts of one transaction, of the search box and of keyboard shortcuts in French. */

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

export const search: Texts['search'] = {
  label: 'Rechercher un identifiant ou un nom',
  placeholder: 'Identifiant ou nom',
  results: 'Résultats',
  searching: 'Recherche en cours…',
  found: (count, text) => `${text} ${count < 2 ? 'résultat' : 'résultats'}`,
  nothing: (text) => `Aucun résultat pour «\u00A0${text}\u00A0».`,
  searched: (period, date) =>
    `Les ID de clic et les sub ID sont à saisir en entier. Ils ont été cherchés dans tous les types, ${period} (date de ${date}). Les transactions et les noms ont été cherchés sans période.`,
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
