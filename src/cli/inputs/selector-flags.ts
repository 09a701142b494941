/**
 * Reads the values by which persons are erased.
 *
 * Arguments are shown in the process list, so values can also come from a file, one on each line, or
 * from standard input.
 */

import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { FIELD_NAMED } from '../../contract/record/fields.ts';
import { IDENTIFIER_TEXT, readIdentifier } from '../../contract/record/identifier.ts';
import { SELECTOR_FIELDS, type Selector, type SelectorField } from '../../erasure/selectors.ts';
import { UserError } from '../../user-error.ts';
import { isAddress } from './network-addresses.ts';

const MEANINGS: { readonly [field in SelectorField]: string } = {
  transaction_id: 'the transaction with this identifier',
  ip_address: 'transactions from this IP address',
  clickid: 'transactions with this click id',
  userid: 'transactions of this user',
  subid: 'transactions with this sub id',
  orderid: 'transactions of this order',
};

/** The flag of each field, such as `ip-address`. */
export const SELECTOR_FLAGS = SELECTOR_FIELDS.map((field) => ({
  field,
  flag: field.replaceAll('_', '-'),
  meaning: `${MEANINGS[field]}; @FILE reads values from a file, - from standard input, one on each line; may be repeated`,
}));

/** The options as the command line parses them: `ipAddress` for `--ip-address`. */
export type SelectorFlags = Readonly<Record<string, unknown>>;

export async function readSelectors(options: SelectorFlags): Promise<readonly Selector[]> {
  const input = new StandardInput();
  const selectors: Selector[] = [];
  for (const { field, flag } of SELECTOR_FLAGS) {
    const given = argumentsOf(flag, options);
    if (given.length === 0) continue;
    const found: GivenValue[] = [];
    for (const argument of given) found.push(...(await valuesOf(`--${flag}`, argument, input)));
    selectors.push({ field, values: found.map((value) => checked(field, value)) });
  }
  if (selectors.some(({ values }) => values.length > 0)) return selectors;
  throw new UserError(
    'No option selects transactions to erase.',
    'Name a value: transactions erase --clickid @clicks.txt --dry-run',
  );
}

/** Whether values come from standard input, which then cannot answer a question. */
export const readsStandardInput = (options: SelectorFlags): boolean =>
  SELECTOR_FLAGS.some(({ flag }) => argumentsOf(flag, options).includes('-'));

function argumentsOf(flag: string, options: SelectorFlags): readonly string[] {
  const given = options[flag.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())];
  return Array.isArray(given) ? given.map(String) : [];
}

/** A value, and where it was given: the flag, or the line of a file. */
interface GivenValue {
  readonly value: string;
  readonly place: string;
}

/** Can be read once. */
class StandardInput {
  #isRead = false;

  async read(): Promise<Buffer> {
    if (this.#isRead)
      throw new UserError(
        'Only one option can read standard input (-).',
        'Use @FILE for the others.',
      );
    this.#isRead = true;
    return await buffer(process.stdin);
  }
}

async function valuesOf(
  flag: string,
  argument: string,
  input: StandardInput,
): Promise<readonly GivenValue[]> {
  if (argument === '-') return linesOf('Standard input', await input.read());
  if (!argument.startsWith('@')) return [{ value: argument, place: flag }];
  const file = argument.slice(1);
  const content = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const message = `The file ${file} cannot be read: ${cause.code}.`;
    throw new UserError(message, 'List the files: ls', { cause });
  });
  return linesOf(file, content);
}

function linesOf(name: string, content: Buffer): readonly GivenValue[] {
  const lines = textOf(name, content)
    .split(/\r?\n/)
    .map((value, at) => ({ value, place: `${name}, line ${at + 1}` }))
    .filter(({ value }) => value !== '');
  if (lines.length > 0) return lines;
  throw new UserError(
    `${name} has no values. Nothing was erased.`,
    'Write one value on each line.',
  );
}

/** The decoder removes a byte order mark, which would become part of the first value. */
function textOf(name: string, content: Buffer): string {
  // UTF-16 without a byte order mark is valid UTF-8, but with zeros.
  if (isUtf8(content) && !content.includes(0)) return new TextDecoder().decode(content);
  throw new UserError(
    `${name} is not UTF-8. Nothing was erased.`,
    'Convert the values to UTF-8, such as from UTF-16: iconv -f utf-16 -t utf-8 FILE',
  );
}

/** Does not show a wrong value, because it may be personal. */
function checked(field: SelectorField, { value, place }: GivenValue): string {
  const { type } = FIELD_NAMED[field];
  if (type === 'integer' && readIdentifier(value) === undefined) {
    throw new UserError(
      `${place}: must be an identifier: ${IDENTIFIER_TEXT}. Nothing was erased.`,
      HELP,
    );
  }
  if (type === 'address' && !isAddress(value)) {
    throw new UserError(`${place}: must be an IPv4 or IPv6 address. Nothing was erased.`, HELP);
  }
  if (value === '') throw new UserError(`${place}: must not be empty. Nothing was erased.`, HELP);
  return value;
}

const HELP = 'See all options with: transactions erase --help';
