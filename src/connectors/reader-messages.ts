/** The messages between the process that imports and the one that reads a source for it. */

import * as v from 'valibot';
import { IMPORT_FILE, MAPPING } from '../ingest/files/import-file.ts';
import type { Mapping } from '../ingest/files/mapping.ts';
import { readJson } from '../read-json.ts';
import type { Since } from './dialect.ts';
import { SOURCE_ADDRESS, type SourceAddress } from './source-address.ts';

export interface ReadRequest {
  readonly address: SourceAddress;
  readonly mapping?: Mapping | undefined;
  /** Whether the type of all rows is known already. */
  readonly typeGiven: boolean;
  readonly since?: Since | undefined;
  /** An empty directory of its own. */
  readonly directory: string;
}

const READ_REQUEST = v.strictObject({
  address: SOURCE_ADDRESS,
  mapping: v.optional(MAPPING),
  typeGiven: v.boolean(),
  since: v.optional(v.strictObject({ instant: v.number(), clock: v.string() })),
  directory: v.string(),
});

const READER_MESSAGE = v.variant('event', [
  v.strictObject({ event: v.literal('progress'), bytes: v.number() }),
  v.strictObject({ event: v.literal('done'), files: v.pipe(v.array(IMPORT_FILE), v.readonly()) }),
  v.strictObject({ event: v.literal('failed'), message: v.string(), next: v.string() }),
]);

/** One JSON text a line; the last one is `done` or `failed`. */
export type ReaderMessage = v.InferOutput<typeof READER_MESSAGE>;

/** The request of a line; throws an UnexpectedJson. */
export const readRequest = (line: string): ReadRequest => readJson(READ_REQUEST, line);

const MESSAGE_LINE = v.pipe(v.string(), v.parseJson(), READER_MESSAGE);

/** The message of a line; undefined for any other line, as libraries of the engine may write some. */
export function readMessage(line: string): ReaderMessage | undefined {
  const { success, output } = v.safeParse(MESSAGE_LINE, line);
  return success ? output : undefined;
}
