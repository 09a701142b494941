/** What is asked of the process that reads a source, and what it tells. */

import { isJsonObject, type JsonObject } from '../contract/json-object.ts';
import type { Mapping } from '../ingest/files/mapping.ts';
import type { GivenFile } from '../ingest/import-request.ts';
import type { Since } from './dialect.ts';
import type { SourceAddress } from './source-address.ts';

export interface ReadRequest {
  readonly address: SourceAddress;
  readonly mapping?: Mapping | undefined;
  /** Whether the type of all rows is known already. */
  readonly typeGiven: boolean;
  readonly since?: Since | undefined;
  /** An empty directory of its own. */
  readonly directory: string;
}

/** One JSON text a line; the last one is `done` or `failed`. */
export type ReaderMessage =
  | { readonly event: 'progress'; readonly bytes: number }
  | { readonly event: 'done'; readonly files: readonly GivenFile[] }
  | { readonly event: 'failed'; readonly message: string; readonly next: string };

/** An order as it was written by this very program. */
export const readOrder = (line: string): ReadRequest => JSON.parse(line);

/** An event of a line; undefined where it is none, as the engine's libraries may write there too. */
export function readEvent(line: string): ReaderMessage | undefined {
  const told = readObject(line);
  if (told === undefined) return undefined;
  const { event, bytes, files, message, next } = told;
  switch (event) {
    case 'progress':
      return typeof bytes === 'number' ? { event, bytes } : undefined;
    case 'done':
      return Array.isArray(files) && files.every(isGivenFile) ? { event, files } : undefined;
    case 'failed':
      return typeof message === 'string' && typeof next === 'string'
        ? { event, message, next }
        : undefined;
    default:
      return undefined;
  }
}

function readObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The rest of it is what the order said of it. */
const isGivenFile = (value: unknown): value is GivenFile =>
  isJsonObject(value) && typeof value.path === 'string' && typeof value.name === 'string';
