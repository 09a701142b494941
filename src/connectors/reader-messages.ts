/** The messages between the process that imports and the one that reads a source for it. */

import * as v from 'valibot';
import { IMPORT_FILE, MAPPING } from '../ingest/files/import-file.ts';
import { type ExpectedRows, FILE_SUBJECTS } from '../ingest/files/known-columns.ts';
import type { Mapping } from '../ingest/files/mapping.ts';
import { readJson } from '../read-json.ts';
import type { Since } from './dialect.ts';
import { SOURCE_ADDRESS, type SourceAddress } from './source-address.ts';

export interface ReadRequest extends ExpectedRows {
  readonly address: SourceAddress;
  readonly mapping?: Mapping | undefined;
  readonly since?: Since | undefined;
  /** An empty directory, into which the reader writes the files of this request. */
  readonly directory: string;
}

const READ_REQUEST = v.strictObject({
  address: SOURCE_ADDRESS,
  mapping: v.optional(MAPPING),
  rows: v.picklist(FILE_SUBJECTS),
  typeGiven: v.boolean(),
  since: v.optional(v.strictObject({ instant: v.number(), clock: v.string() })),
  directory: v.string(),
});

const READER_MESSAGE = v.variant('event', [
  v.strictObject({ event: v.literal('progress'), bytes: v.number() }),
  v.strictObject({ event: v.literal('done'), files: v.pipe(v.array(IMPORT_FILE), v.readonly()) }),
  v.strictObject({ event: v.literal('failed'), message: v.string(), next: v.string() }),
]);

/** One JSON object per line; the last one is `done` or `failed`. */
export type ReaderMessage = v.InferOutput<typeof READER_MESSAGE>;

/** Parses a request; throws an UnexpectedJson. */
export const readRequest = (line: string): ReadRequest => readJson(READ_REQUEST, line);

const MESSAGE_LINE = v.pipe(v.string(), v.parseJson(), READER_MESSAGE);

/** Parses a message; undefined for other lines, which libraries of the engine may write. */
export function readMessage(line: string): ReaderMessage | undefined {
  const { success, output } = v.safeParse(MESSAGE_LINE, line);
  return success ? output : undefined;
}
