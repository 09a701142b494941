/** A file of transactions, and what it is made of. */

import type { Mapping } from './mapping.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

export type FileForm =
  | { readonly format: 'csv'; readonly delimiter: ',' | ';'; readonly columns: readonly string[] }
  | { readonly format: 'ndjson' }
  | { readonly format: 'parquet' };

export interface SourceFile {
  /** The name by which the operator knows it. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly compression: Compression;
  readonly form: FileForm;
  /** What its columns mean, where they are not called like the fields. */
  readonly mapping?: Mapping | undefined;
  /** What the source calls the transaction_id, where rows are named by it and not by their lines. */
  readonly key?: string | undefined;
}
