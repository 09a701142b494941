/** The texts of the search box in French. */

import type { Texts } from '../texts.ts';

export const search: Texts['search'] = {
  label: 'Rechercher un identifiant ou un nom',
  placeholder: 'Identifiant ou nom',
  results: 'Résultats',
  searching: 'Recherche en cours…',
  found: (count, text) => `${text} ${count < 2 ? 'résultat' : 'résultats'}`,
  nothing: (text) => `Aucun résultat pour «\u00A0${text}\u00A0».`,
  searched: (ids, period, date) =>
    `À saisir en entier\u00A0: ${ids}. Recherche dans tous les types, ${period} (date de ${date}). Identifiants de transaction et noms\u00A0: recherche sur toutes les périodes.`,
};
