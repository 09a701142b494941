/** A file of transactions, and what it is made of. */

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
}
