/** Reads what a mapping or flags say about the dialect of a file. */

import { suggestionFor } from '../../contract/query/suggestion.ts';
import { DATE_ORDERS, DECIMAL_MARKS, DELIMITERS, type StatedDialect } from './dialect.ts';
import { COMMON_ENCODINGS, encodingNamed } from './encoding.ts';

interface Member {
  /** What the help shows for its value. */
  readonly placeholder: string;
  readonly values: readonly string[];
  /** What to type instead of characters that are hard to type or to see. */
  readonly words: Readonly<Record<string, string>>;
  readonly meaning: string;
}

/** The members of a mapping that state the dialect. Each is also a flag. `values` are those that the help lists. */
export const DIALECT_MEMBERS = {
  delimiter: {
    placeholder: 'character',
    values: DELIMITERS,
    words: { comma: ',', semicolon: ';', tab: '\t', '\\t': '\t', pipe: '|' },
    meaning: 'Delimiter of the cells of CSV',
  },
  decimal: {
    placeholder: 'character',
    values: DECIMAL_MARKS,
    words: { point: '.', comma: ',' },
    meaning: 'Decimal separator',
  },
  dates: {
    placeholder: 'order',
    values: DATE_ORDERS,
    words: {},
    meaning: 'The order of year, month and day',
  },
  encoding: {
    placeholder: 'name',
    values: COMMON_ENCODINGS,
    words: {},
    meaning: 'The character encoding, by any name in the WHATWG Encoding Standard',
  },
} as const satisfies Record<keyof StatedDialect, Member>;

type MemberName = keyof typeof DIALECT_MEMBERS;

export const DIALECT_MEMBER_NAMES = Object.keys(DIALECT_MEMBERS) as readonly MemberName[];

/** The values of a member as they are typed. */
export const dialectChoices = (name: MemberName): readonly string[] =>
  DIALECT_MEMBERS[name].values.map((value) => (value === '\t' ? 'tab' : value));

/** Reads the members that are given; adds what is wrong with them to the faults, by name. */
export function readStatedDialect(
  given: Readonly<Record<string, unknown>>,
  faults: Map<string, string>,
): StatedDialect {
  return {
    ...readMember('delimiter', DELIMITERS, given, faults),
    ...readMember('decimal', DECIMAL_MARKS, given, faults),
    ...readMember('dates', DATE_ORDERS, given, faults),
    ...readEncoding(given.encoding, faults),
  };
}

function readMember<Name extends MemberName, Value extends string>(
  name: Name,
  values: readonly Value[],
  given: Readonly<Record<string, unknown>>,
  faults: Map<string, string>,
): Partial<Record<Name, Value>> {
  const text = given[name];
  if (text === undefined) return {};
  const { words }: Member = DIALECT_MEMBERS[name];
  const meant = typeof text === 'string' ? (words[text.toLowerCase()] ?? text) : undefined;
  const value = values.find((known) => known === meant?.toUpperCase());
  // A computed key widens the type of a literal object.
  if (value !== undefined) return { [name]: value } as Partial<Record<Name, Value>>;
  const choices = dialectChoices(name);
  // All single characters are similar by edit distance, so suggesting one would be random.
  const hint = meant && meant.length > 1 ? suggestionFor(meant, choices) : '';
  faults.set(name, `must be one of ${choices.map((choice) => `"${choice}"`).join(' ')}.${hint}`);
  return {};
}

function readEncoding(
  label: unknown,
  faults: Map<string, string>,
): Pick<StatedDialect, 'encoding'> {
  if (label === undefined) return {};
  const encoding = typeof label === 'string' ? encodingNamed(label) : undefined;
  if (encoding !== undefined) return { encoding };
  const names = COMMON_ENCODINGS.map((name) => `"${name}"`).join(' ');
  faults.set('encoding', `must be a name of the Encoding Standard, such as ${names}.`);
  return {};
}
