/** The texts of one transaction, of the search box, of saved views and of keyboard shortcuts in French. */

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

export const views: Texts['views'] = {
  open: 'Vues',
  opened: (name) => `Vue\u00A0: ${name}`,
  title: 'Vues enregistrées',
  intro:
    'Une vue garde la période, les filtres, le graphique et l’ordre de cette page sous un nom. Les vues restent dans ce navigateur.',
  temporary: 'Vous ne restez pas connecté sur cet appareil\u00A0: se déconnecter les supprime.',
  name: 'Nom',
  save: 'Enregistrer cette vue',
  none: 'Aucune vue enregistrée.',
  current: 'Affichée',
  makeDefault: (name) => `Ouvrir ${name} au démarrage`,
  byDefault: 'Au démarrage',
  rename: (name) => `Renommer ${name}`,
  newName: (name) => `Nouveau nom de ${name}`,
  remove: (name) => `Supprimer ${name}`,
  done: 'Renommer',
  taken: 'Une autre vue porte ce nom.',
  replaces: 'Remplace la vue de ce nom.',
};

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
