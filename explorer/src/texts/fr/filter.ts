/** The texts of the filters and of the pickers of their values in French. */

import type { Texts } from '../texts.ts';

export const filter: Texts['filter'] = {
  is: 'est',
  isNot: 'n’est pas',
  labelNot: (name) => `${name} n’est pas`,
  edit: (value) => `Modifier ${value}`,
  removeValue: (value) => `Retirer ${value}`,
  values: (name) => `Valeurs\u00A0: ${name}`,
  more: (count) => `${count} de plus\u00A0: tapez une partie du nom`,
};
