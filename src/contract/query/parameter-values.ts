/** Reads the texts of query parameters: each reader says what would be right where it refuses one. */

import { GREATEST_IDENTIFIER, readIdentifier } from '../record/identifier.ts';
import { isCalendarDate } from './calendar.ts';
import { suggestionFor } from './suggestion.ts';

/** Thrown by a parameter's reader: why its text is refused and what would be right. */
export class InvalidValue extends Error {}

export const COUNTRY = /^[A-Za-z]{2}$/;

/** A reader of exactly one of these words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new InvalidValue(`Must be one of ${quoted(words)}.${suggestionFor(text, words)}`);
  };
}

/** A reader of some of these words, separated by commas; the same one twice counts once. */
export function someOf<Word extends string>(
  words: readonly Word[],
): (text: string) => readonly Word[] {
  return (text) => [...new Set(wordsIn(text, words))];
}

/** A reader of at most so many of these words, each once, in the order in which they are given. */
export function sequenceOf<Word extends string>(
  words: readonly Word[],
  most = words.length,
): (text: string) => readonly Word[] {
  return (text) => {
    const given = wordsIn(text, words);
    const twice = given.find((word, at) => given.indexOf(word) !== at);
    if (twice !== undefined) throw new InvalidValue(`Must name "${twice}" once.`);
    if (given.length > most) throw new InvalidValue(`Must name at most ${most}.`);
    return given;
  };
}

function wordsIn<Word extends string>(text: string, words: readonly Word[]): readonly Word[] {
  const given = text.split(',');
  const at = given.findIndex((word) => !(words as readonly string[]).includes(word));
  if (at < 0) return given as Word[];
  const suggestion = suggestionFor(given[at] ?? '', words);
  throw new InvalidValue(
    `Must be some of ${quoted(words)}, separated by commas; number ${at + 1} is none of them.${suggestion}`,
  );
}

export function readDate(text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidValue('Must be a date that exists, written YYYY-MM-DD.');
}

/** One or more identifiers, separated by commas; the same one twice counts once. */
export function readIdentifiers(text: string): readonly number[] {
  const identifiers = text.split(',').map(readIdentifier);
  if (identifiers.every((identifier) => identifier !== undefined)) return [...new Set(identifiers)];
  throw new InvalidValue(
    `Must be one or more identifiers, separated by commas: digits without leading zeros, each at most ${GREATEST_IDENTIFIER}.`,
  );
}

/** One or more countries in either case, as upper-case ISO 3166-1 alpha-2 codes. */
export function readCountries(text: string): readonly string[] {
  const countries = text.split(',');
  if (countries.every((country) => COUNTRY.test(country))) {
    return [...new Set(countries.map((country) => country.toUpperCase()))];
  }
  throw new InvalidValue(
    'Must be a country or several separated by commas, as two letters each (ISO 3166-1 alpha-2).',
  );
}

/** The longest text that is compared with a field. */
export const MAX_TEXT_LENGTH = 1000;

/** The text as it is, compared with the whole field. */
export function readText(text: string): readonly string[] {
  if (text.length <= MAX_TEXT_LENGTH) return [text];
  throw new InvalidValue(`Must have at most ${MAX_TEXT_LENGTH} characters.`);
}

/** A reader of a whole number from 1 to `most`. */
export function integerUpTo(most: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidValue(`Must be a whole number from 1 to ${most}.`);
  };
}

export const CURSOR = /^[\w-]{38}$/;

export const WRONG_CURSOR =
  'Is no cursor of this question: follow the link rel="next" of the page before, with everything else unchanged.';

/** Only its form: whether it is one of this question is known where it is opened. */
export function readCursor(text: string): string {
  if (CURSOR.test(text)) return text;
  throw new InvalidValue(WRONG_CURSOR);
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');
