/** The settings of the embedded engine's sessions that read, by what they read. */

/**
 * What every session that reads is set to before it is made read-only.
 *
 * Blocks of a megabyte are the largest that hundreds of slow readers can have each.
 */
export const READING = [
  'max_threads = 1',
  'max_block_size = 8192',
  'preferred_block_size_bytes = 1000000',
  'do_not_merge_across_partitions_select_final = 1',
  'max_bytes_before_external_sort = 268435456',
  'max_bytes_ratio_before_external_sort = 0',
];
/** The same of those that add up on every core: what has no room in memory is kept on the disk meanwhile. */
export const SUMMING = [
  'do_not_merge_across_partitions_select_final = 1',
  'max_bytes_before_external_group_by = 268435456',
  'max_bytes_ratio_before_external_group_by = 0',
  'max_bytes_before_external_sort = 268435456',
  'max_bytes_ratio_before_external_sort = 0',
];
/**
 * The same of those that write files, which every reader of Parquet or Arrow is to understand.
 *
 * A statement opens all months of its period, each column of each with a buffer.
 */
export const EXPORTING = [
  ...READING,
  'max_block_size = 65536',
  'preferred_block_size_bytes = 16000000',
  'max_read_buffer_size = 131072',
  "output_format_parquet_compression_method = 'snappy'",
  'output_format_parquet_row_group_size = 131072',
  'output_format_parquet_string_as_string = 1',
  "output_format_arrow_compression_method = 'none'",
  'output_format_arrow_string_as_string = 1',
];
export const READ_ONLY = 'readonly = 1';

/** Plans a report's statement as the newer one does, in less time, which is most of a small one's. */
export const OLDER_ANALYZER = 'enable_analyzer = 0';
