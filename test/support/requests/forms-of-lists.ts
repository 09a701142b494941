/** The forms of a list: how each is requested and parsed, and how a record of the JSON response looks in it. */

import { type Options, parse } from 'csv-parse/sync';
import type { Form } from '../../../src/plan/form.ts';
import { readArrow, readParquet } from '../databases/read-back.ts';
import type { RandomTransaction } from '../rows/random/random-transactions.ts';
import { fc } from '../run/properties.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

interface FormLine {
  /** The parameters that request this form. */
  readonly asked: Readonly<Record<string, string>>;
  readonly read: (answer: Response) => Promise<readonly unknown[]>;
  /** Converts a record of the JSON response to this form. */
  readonly shown: (record: JsonRecord, transaction: RandomTransaction | undefined) => unknown;
}

const unchanged = (record: JsonRecord): JsonRecord => record;

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** The rows of a CSV file. Each is a list of pairs of column name and text, in the order of the file. */
const named = (bytes: string | Buffer, options: Options): readonly unknown[] =>
  (
    parse(bytes, { ...options, columns: true, recordDelimiter: '\r\n' }) as unknown as JsonRecord[]
  ).map((record) => Object.entries(record));

const withNames =
  (write: (value: unknown) => string) =>
  (record: JsonRecord): unknown =>
    Object.entries(record).map(([name, value]) => [name, write(value)]);

const plain = (value: unknown): string => (value === null ? '' : String(value));

const forSpreadsheets =
  (decimalPoint: string) =>
  (value: unknown): string => {
    if (typeof value === 'number') return String(value).replace('.', decimalPoint);
    const text = plain(value);
    return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  };

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

/** Dates as milliseconds since 1970. */
const dated = (record: JsonRecord, transaction: RandomTransaction | undefined): JsonRecord => {
  const { instant = 0, updated = 0, validated = null } = transaction ?? {};
  return {
    ...record,
    created_at: instant * 1000,
    updated_at: updated * 1000,
    validation_date: validated === null ? null : validated * 1000,
  };
};

export const FORMS = {
  json: {
    asked: { format: 'json' },
    read: async (answer) => (await answer.json()) as readonly unknown[],
    shown: unchanged,
  },
  ndjson: {
    asked: { format: 'ndjson' },
    read: async (answer) => linesOf(await answer.text()).map((line) => JSON.parse(line)),
    shown: unchanged,
  },
  csv: {
    asked: { format: 'csv' },
    read: async (answer) => named(await answer.text(), {}),
    shown: withNames(plain),
  },
  excel: {
    asked: { csv: 'excel' },
    read: async (answer) =>
      named(Buffer.from(await answer.arrayBuffer()), { bom: true, delimiter: ';' }),
    shown: withNames(forSpreadsheets(',')),
  },
  'excel-en': {
    asked: { csv: 'excel-en' },
    read: async (answer) => named(Buffer.from(await answer.arrayBuffer()), { bom: true }),
    shown: withNames(forSpreadsheets('.')),
  },
  parquet: {
    asked: { format: 'parquet' },
    read: async (answer) => (await readParquet(await bytesOf(answer))).rows,
    shown: dated,
  },
  arrow: {
    asked: { format: 'arrow' },
    read: async (answer) => readArrow(await bytesOf(answer)).rows,
    shown: dated,
  },
} as const satisfies Record<Form, FormLine>;

export const FORM_NAMES = Object.keys(FORMS) as readonly Form[];

export const forms = fc.constantFrom(...FORM_NAMES);
