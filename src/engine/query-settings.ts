/** ClickHouse settings for each class of queries, common to the embedded engine and to servers. */

import type { Statement } from '../plan/sql.ts';

export type SettingsTable = Readonly<Record<string, number | string>>;

/** Bytes in memory above which the engine sorts or groups on the disk. */
const SPILL_THRESHOLD = 268_435_456;

const COMMON = { do_not_merge_across_partitions_select_final: 1 };

/**
 * Seconds after which a query fails; 0 for never. A list takes as long as its client reads. Scans read whole tables,
 * however large.
 */
const MAX_SECONDS = { list: 0, summary: 600, file: 3600, scan: 0 };

/**
 * Blocks are small, because a download has several in memory at once. 640,000 records took 348 ms with 8,192 rows in
 * a block, 328 with 4,096, 354 with 2,048 and 377 with 1,024. Blocks of a megabyte let the first one be sent early.
 */
export const LIST_SETTINGS = {
  ...COMMON,
  max_threads: 1,
  max_execution_time: MAX_SECONDS.list,
  max_block_size: 4096,
  preferred_block_size_bytes: 1_000_000,
  max_bytes_before_external_sort: SPILL_THRESHOLD,
};

/** On every core. */
export const AGGREGATION_SETTINGS = {
  ...COMMON,
  max_threads: 0,
  max_execution_time: MAX_SECONDS.summary,
  max_bytes_before_external_group_by: SPILL_THRESHOLD,
  max_bytes_before_external_sort: SPILL_THRESHOLD,
};

export const SCAN_SETTINGS = {
  ...AGGREGATION_SETTINGS,
  max_execution_time: MAX_SECONDS.scan,
};

/**
 * Types and compression that every reader of Parquet or Arrow understands.
 *
 * The read buffer is small, as a statement opens every column of every month of its period.
 */
export const FILE_SETTINGS = {
  ...LIST_SETTINGS,
  max_execution_time: MAX_SECONDS.file,
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
  isScan,
  file,
}: Pick<Statement, 'isAggregation' | 'isScan' | 'file'>): SettingsTable {
  if (file !== undefined) return FILE_SETTINGS;
  if (isScan) return SCAN_SETTINGS;
  return isAggregation ? AGGREGATION_SETTINGS : LIST_SETTINGS;
}
