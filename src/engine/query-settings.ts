/** The engine's settings for reading, by what is read; embedded and on servers they are spelled differently. */

import type { Statement } from '../plan/sql.ts';

export type SettingsTable = Readonly<Record<string, number | string>>;

/** Bytes in memory above which the engine goes on with sorting or grouping on the disk. */
const MOST_IN_MEMORY = 268_435_456;

const EVERYTHING = { do_not_merge_across_partitions_select_final: 1 };

/** Of rows that go out one after the other; blocks of a megabyte are the largest that hundreds of slow readers can have each. */
export const IN_ROWS = {
  ...EVERYTHING,
  max_threads: 1,
  max_block_size: 8192,
  preferred_block_size_bytes: 1_000_000,
  max_bytes_before_external_sort: MOST_IN_MEMORY,
};

/** Of rows that are added up, on every core. */
export const ADDED_UP = {
  ...EVERYTHING,
  max_threads: 0,
  max_bytes_before_external_group_by: MOST_IN_MEMORY,
  max_bytes_before_external_sort: MOST_IN_MEMORY,
};

/**
 * Of files, which every reader of Parquet or Arrow is to understand.
 *
 * A statement opens all months of its period, each column of each with a buffer.
 */
export const IN_FILES = {
  ...IN_ROWS,
  max_block_size: 65_536,
  preferred_block_size_bytes: 16_000_000,
  max_read_buffer_size: 131_072,
  output_format_parquet_compression_method: 'snappy',
  output_format_parquet_row_group_size: 131_072,
  output_format_parquet_string_as_string: 1,
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: 1,
};

export function settingsFor({
  isAggregation,
  file,
}: Pick<Statement, 'isAggregation' | 'file'>): SettingsTable {
  if (file !== undefined) return IN_FILES;
  return isAggregation ? ADDED_UP : IN_ROWS;
}
