/** Words and codes that exports write for statuses and types. */

import { plainName } from './column-names.ts';

/** Words in their plain form, by field and value. Statuses: 0 refused, 1 validated, 2 pending. */
const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  status: {
    '0': 'declined refused rejected refusal cancelled canceled deleted reversed invalid void refus refuse refusee rejete rejetee annule annulee ablehnung rechazado rifiuto rejeicao'.split(
      ' ',
    ),
    '1': 'approved valid validated confirmed accepted paid locked closed cleared valide validee confirme confirmee accepte acceptee paye payee gultig autorizado valido'.split(
      ' ',
    ),
    '2': 'pending open new extended waiting attente enattente encours ouvert wartezustand espera attesa pendente'.split(
      ' ',
    ),
  },
  type: {
    sales: 'sale sales vente ventes simsale itemsale achat'.split(' '),
    leads: 'lead leads simlead itemlead formulaire inscription'.split(' '),
    clics: 'click clicks clic clics'.split(' '),
    impressions: 'impression impressions imp affichage affichages'.split(' '),
  },
};

/** Numeric codes, by column. Networks use them differently, so only columns that a single network has are listed. */
const NUMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // TimeOne
  actionstatus: { '0': '0', '1': '2', '2': '1' },
  actiontype: { '3': 'sales', '4': 'leads' },
  // Awin
  commissionstatus: { '0': '2', '1': '1', '2': '0' },
};

export const isCoded = (field: string): boolean => Object.hasOwn(WORDS, field);

/** The value of a field that a word or code of a column means. */
export function meaningOf(field: string, column: string, text: string): string | undefined {
  const word = plainName(text);
  const found = Object.entries(WORDS[field] ?? {}).find(([, words]) => words.includes(word));
  return found?.[0] ?? NUMBERS[plainName(column)]?.[word];
}
