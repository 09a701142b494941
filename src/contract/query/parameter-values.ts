/** Parses the values of query parameters, with error messages that say what is valid. */

import { lengthOfLists, unpackLists } from '../id-lists.ts';
import { MAX_URL_LENGTH } from '../problems/problems.ts';
import { GREATEST_IDENTIFIER, readIdentifier } from '../record/identifier.ts';
import { shortList } from '../short-list.ts';
import { isCalendarDate } from './calendar.ts';
import { CURSOR_LENGTH, MAX_SORTED_CURSOR_LENGTH } from './sorting/sorted-bytes.ts';
import { didYouMean, listWithCommas, MAX_ITEMS, nearestName, suggestionFor } from './suggestion.ts';

/** The value of a parameter is invalid. The message says what is valid. */
export class InvalidValue extends Error {}

export const COUNTRY_PATTERN = /^[A-Za-z]{2}$/;

/** Reads one of the words. `hints` are sentences for other words that people try. */
export function readOneOf<Word extends string>(
  words: readonly Word[],
  hints: ReadonlyMap<string, string> = new Map(),
): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    const hint = hints.get(text.toLowerCase());
    throw new InvalidValue(
      `Must be one of ${quoted(words)}.${hint === undefined ? suggestionForOne(text, words) : ` ${hint}`}`,
    );
  };
}

function suggestionForOne(text: string, words: readonly string[]): string {
  const isListOfWords = text.includes(',') && text.split(',').every((item) => words.includes(item));
  return isListOfWords ? ' Give one. Send a request for each value.' : suggestionFor(text, words);
}

/** Help for words that are codes, such as `1` for validated. */
interface WordHelp<Word> {
  readonly meaning: string;
  /** The word for a synonym, such as `1` for `approved`. */
  readonly synonym: (text: string) => Word | undefined;
}

/** Reads words, separated by commas. A repeated word counts once. */
export function readSomeOf<Word extends string>(
  words: readonly Word[],
  help?: WordHelp<Word>,
): (text: string) => readonly Word[] {
  return (text) => [...new Set(wordsIn(text, words, help))];
}

/** Reads up to `most` different words, separated by commas, and keeps their order. */
export function readSequence<Word extends string>(
  words: readonly Word[],
  most = words.length,
): (text: string) => readonly Word[] {
  return (text) => {
    const given = wordsIn(text, words);
    const twice = given.find((word, at) => given.indexOf(word) !== at);
    if (twice !== undefined) throw new InvalidValue(`Must contain "${twice}" only once.`);
    if (given.length > most) throw new InvalidValue(`Must contain at most ${most} values.`);
    return given;
  };
}

function wordsIn<Word extends string>(
  text: string,
  words: readonly Word[],
  help?: WordHelp<Word>,
): readonly Word[] {
  const given = text.split(',');
  const isKnown = (item: string): item is Word => words.some((word) => word === item);
  if (given.every(isKnown)) return given;
  const meaning = help === undefined ? '' : ` (${help.meaning})`;
  throw new InvalidValue(
    `Must be one or more of ${quoted(words)}${meaning}, separated by commas.${wrongItems(given, isKnown, 'one of them')}${suggestionForSome(text, words, help)}`,
  );
}

/** Suggests the corrected list. If some items resemble no word, suggests only the words for the others. */
function suggestionForSome<Word extends string>(
  text: string,
  words: readonly Word[],
  help: WordHelp<Word> | undefined,
): string {
  const isKnown = (item: string): boolean => words.some((word) => word === item);
  const list = listWithCommas(text, isKnown);
  if (list !== undefined) return didYouMean([list]);
  const meant = (item: string) =>
    help === undefined ? nearestName(item, words) : help.synonym(item);
  const given = [...new Set(text.split(','))];
  // The search for a meaning takes long, so it is limited.
  const wrong = given.filter((item) => !isKnown(item)).slice(0, MAX_ITEMS);
  const meanings = new Map(wrong.map((item) => [item, meant(item)]));
  const whole = given.map((item) => (isKnown(item) ? item : meanings.get(item)));
  if (!whole.includes(undefined)) return didYouMean([[...new Set(whole)].join(',')]);
  const names = [...new Set(meanings.values())].filter((name) => name !== undefined);
  return names.length === 0 ? '' : didYouMean(names);
}

/** Names the positions of the wrong items in a list of several: ` Item 2 is not …`. */
function wrongItems(
  items: readonly string[],
  isRight: (item: string) => boolean,
  what: string,
): string {
  const wrong = items.flatMap((item, at) => (isRight(item) ? [] : [at + 1]));
  if (items.length === 1) return '';
  const named = wrong.length === 1 ? `Item ${wrong[0]} is` : `Items ${shortList(wrong)} are`;
  return ` ${named} not ${what}.`;
}

export function readDate(text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidValue('Must be a valid date in the format YYYY-MM-DD.');
}

/** Reads identifiers, separated by commas. A repeated identifier counts once. */
export function readIdentifiers(text: string): readonly number[] {
  const items = text.split(',');
  const identifiers = items.map(readIdentifier);
  if (identifiers.every((identifier) => identifier !== undefined)) return [...new Set(identifiers)];
  const isRight = (item: string): boolean => readIdentifier(item) !== undefined;
  const list = listWithCommas(text, isRight);
  throw new InvalidValue(
    `Must be one or more identifiers, separated by commas: digits without leading zeros, each at most ${GREATEST_IDENTIFIER}.${wrongItems(items, isRight, 'an identifier')}${list === undefined ? '' : didYouMean([list])}`,
  );
}

/** Reads ISO 3166-1 alpha-2 codes in either case, separated by commas, as upper case. */
export function readCountries(text: string): readonly string[] {
  const countries = text.split(',');
  if (countries.every((country) => COUNTRY_PATTERN.test(country))) {
    return [...new Set(countries.map((country) => country.toUpperCase()))];
  }
  throw new InvalidValue(
    `Must be one or more country codes of two letters (ISO 3166-1 alpha-2), separated by commas.${wrongItems(countries, (country) => COUNTRY_PATTERN.test(country), 'a country code')}`,
  );
}

/** The maximum length of a text that is compared with a field, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1000;

/** Reads one text, which is compared with the whole field. */
export function readText(text: string): readonly string[] {
  if (text.length <= MAX_TEXT_LENGTH) return [text];
  throw new InvalidValue(`Must have at most ${MAX_TEXT_LENGTH} characters.`);
}

/** Reads a whole number from `least` to `most`. */
export function readInteger(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidValue(`Must be a whole number from ${least} to ${most}.`);
  };
}

export const CURSOR_PATTERN = new RegExp(`^[\\w-]{${CURSOR_LENGTH},${MAX_SORTED_CURSOR_LENGTH}}$`);

export const WRONG_CURSOR =
  'Is not a cursor of this query. Follow the link rel="next" of the previous page and change no other parameter.';

/** Checks only the form. The signature is checked when the cursor is decoded. */
export function readCursor(text: string): string {
  if (CURSOR_PATTERN.test(text)) return text;
  throw new InvalidValue(WRONG_CURSOR);
}

/** Checks packed lists. Refuses those longer than a URL when unpacked: they could exceed a statement's limits. */
export function readPackedLists(text: string): string {
  const lists = unpackLists(text);
  if (lists === undefined) {
    throw new InvalidValue(
      'Is not a packed list of identifiers. Follow the link rel="next" of the previous page, or give the lists themselves.',
    );
  }
  if (lengthOfLists(lists) <= MAX_URL_LENGTH) return text;
  throw new InvalidValue(
    `Has lists of more than ${MAX_URL_LENGTH} characters when they are unpacked. Send several requests.`,
  );
}

/** The number of characters of a position in the change feed. */
export const CHANGE_POSITION_LENGTH = 103;

export const CHANGE_POSITION_PATTERN = new RegExp(`^[\\w-]{${CHANGE_POSITION_LENGTH}}$`);

export const WRONG_POSITION =
  'Is not a position of these changes. Take the header Changes-After of a list with the same program_id and publisher_id, or follow the link rel="next" without changing another parameter.';

/** Checks only the form. The content is checked when the position is decrypted. */
export function readChangePosition(text: string): string {
  if (CHANGE_POSITION_PATTERN.test(text)) return text;
  throw new InvalidValue(WRONG_POSITION);
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

/** Reads `true` or `false`. */
export const readBoolean = (text: string): boolean => readOneOf(['true', 'false'])(text) === 'true';
