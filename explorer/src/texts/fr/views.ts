/** The texts of saved views in French. */

import type { Texts } from '../texts.ts';

export const views: Texts['views'] = {
  open: 'Vues',
  opened: (name) => `Vue\u00A0: ${name}`,
  title: 'Vues enregistrées',
  intro:
    'Une vue garde la période, les filtres, le graphique et l’ordre de cette page sous un nom. Les vues restent dans ce navigateur.',
  temporary:
    'Vous ne restez pas connecté sur cet appareil\u00A0: ces vues sont supprimées à la déconnexion.',
  name: 'Nom',
  save: 'Enregistrer cette vue',
  none: 'Aucune vue enregistrée.',
  current: 'Affichée',
  makeDefault: (name) => `Afficher ${name} à l’ouverture de la page`,
  byDefault: 'Par défaut',
  rename: (name) => `Renommer ${name}`,
  newName: (name) => `Nouveau nom de ${name}`,
  remove: (name) => `Supprimer ${name}`,
  done: 'Renommer',
  taken: 'Une autre vue porte ce nom.',
  replaces: 'Remplace la vue de ce nom.',
  full: (most) =>
    `Vous avez ${most} vues, et il n’est pas possible d’en enregistrer plus. Supprimez-en une d’abord.`,
  unstored: 'La vue n’a pas été enregistrée. Le stockage de ce navigateur est plein ou désactivé.',
};
