/** A file of transactions, or of entries of the directory, with its detected format. */

import type { Delimiter, ValueDialect } from '../dialect/dialect.ts';
import type { Mapping } from './mapping.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

export type SourceForm =
  | { readonly format: 'csv'; readonly delimiter: Delimiter; readonly columns: readonly string[] }
  | { readonly format: 'ndjson' }
  | { readonly format: 'parquet' };

export interface SourceFile {
  /** The name that reports show. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly compression: Compression;
  readonly form: SourceForm;
  /** Maps its columns to fields, if their names differ. */
  readonly mapping?: Mapping | undefined;
  /** The columns of its mapping that none of the first rows has; only of NDJSON. */
  readonly unseen?: readonly string[];
  /** The name of its encoding, if it is not UTF-8. */
  readonly encoding?: string | undefined;
  /** How its numbers and dates are written, if they are not plain. */
  readonly dialect?: ValueDialect | undefined;
  /** The column with the transaction_id, if reports name rows by it instead of by line. */
  readonly key?: string | undefined;
}

/** Whether the file was read from a table of a database. Only such a file has a key. */
export const isTable = ({ key }: Pick<SourceFile, 'key'>): boolean => key !== undefined;

export const hasDecimalCommas = ({ dialect }: Pick<SourceFile, 'dialect'>): boolean =>
  dialect?.numbers?.decimal === ',';
