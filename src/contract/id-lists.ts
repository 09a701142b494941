/**
 * Packs and unpacks lists of identifiers, to keep links to the next page short.
 *
 * A packed list has the differences between the sorted identifiers as variable-length numbers in base64url
 * digits, after the name of the parameter: `program_id.MC~publisher_id.ZrB`. Rights are checked as for
 * the lists themselves.
 */

import { isIdentifier } from './record/identifier.ts';

/** The parameters that are lists of identifiers. */
export const ID_LIST_NAMES = [
  'program_id',
  'publisher_id',
  'transaction_id',
  'orderid',
  'exclude_program_id',
  'exclude_publisher_id',
  'exclude_transaction_id',
  'exclude_orderid',
] as const;

export type IdListName = (typeof ID_LIST_NAMES)[number];

export type IdLists = { readonly [Name in IdListName]?: readonly number[] | undefined };

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Each digit has 5 bits of a number, the lowest first. `BASE` is added to all digits of a number but the last. */
const BASE = 32;

const NAMES = ID_LIST_NAMES.join('|');
/** At most 11 digits, because the greatest identifier has 53 bits. */
const NUMBER = '[g-z\\d_-]{0,10}[A-Za-f]';
const LIST = `(?:${NAMES})\\.(?:${NUMBER})+`;

export const PACKED_LISTS_PATTERN = new RegExp(`^${LIST}(?:~${LIST})*$`);

/** Packs lists. Lists without values are omitted. */
export const packLists = (lists: IdLists): string =>
  ID_LIST_NAMES.flatMap((name) => {
    const values = lists[name] ?? [];
    return values.length === 0 ? [] : [`${name}.${packed(sorted(values))}`];
  }).join('~');

/** The lists, each sorted; undefined if the text is not valid. */
export function unpackLists(text: string): IdLists | undefined {
  if (!PACKED_LISTS_PATTERN.test(text)) return undefined;
  const lists: Partial<Record<IdListName, readonly number[]>> = {};
  for (const list of text.split('~')) {
    const [word = '', digits = ''] = list.split('.');
    const name = ID_LIST_NAMES.find((known) => known === word);
    const values = unpacked(digits);
    if (name === undefined || values === undefined || lists[name] !== undefined) return undefined;
    lists[name] = values;
  }
  return lists;
}

/** The number of characters of the lists, with commas between their values. */
export const lengthOfLists = (lists: IdLists): number =>
  Object.values(lists).reduce((sum, values) => sum + String(values).length, 0);

/** In ascending order, as in a packed list. */
export const sorted = (values: readonly number[]): readonly number[] =>
  values.toSorted((one, other) => one - other);

const packed = (ascending: readonly number[]): string =>
  ascending.map((value, at) => numberText(value - (ascending[at - 1] ?? 0))).join('');

function numberText(value: number): string {
  let text = '';
  let rest = value;
  for (; rest >= BASE; rest = Math.floor(rest / BASE)) text += DIGITS[BASE + (rest % BASE)];
  return text + DIGITS[rest];
}

/** Undefined if a value is not an identifier. */
function unpacked(text: string): readonly number[] | undefined {
  let value = 0;
  const values = (text.match(new RegExp(NUMBER, 'g')) ?? []).map((digits) => {
    value += numberOf(digits);
    return value;
  });
  return values.every(isIdentifier) ? [...new Set(values)] : undefined;
}

const numberOf = (digits: string): number =>
  [...digits].reduceRight((value, digit) => value * BASE + (DIGITS.indexOf(digit) % BASE), 0);
