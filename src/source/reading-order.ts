/** What is asked of the process that reads a source, and what it tells. */

import type { GivenFile } from '../ingest/import-request.ts';
import type { Mapping } from '../ingest/mapping.ts';
import type { Since } from './dialect.ts';
import type { SourceAddress } from './source-address.ts';

export interface ReadingOrder {
  readonly address: SourceAddress;
  readonly mapping?: Mapping | undefined;
  /** Whether the type of all rows is known already. */
  readonly typeGiven: boolean;
  readonly since?: Since | undefined;
  /** An empty directory of its own. */
  readonly directory: string;
}

/** One JSON text a line; the last one is `done` or `failed`. */
export type ReadingEvent =
  | { readonly event: 'progress'; readonly bytes: number }
  | { readonly event: 'done'; readonly files: readonly GivenFile[] }
  | { readonly event: 'failed'; readonly message: string; readonly next: string };
