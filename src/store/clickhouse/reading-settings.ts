/** What reading asks of a server; a user with `readonly = 1` has these in the profile instead. */

import type { ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from '../../plan/sql.ts';

const READING: ClickHouseSettings = {
  do_not_merge_across_partitions_select_final: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // What is asked of one website concerns one shard.
  optimize_skip_unused_shards: 1,
  wait_end_of_query: 0,
  // Servers tell each other of their progress all the time, or are gone.
  receive_timeout: 5,
};

/** Of rows that go out one after the other. */
const IN_ROWS: ClickHouseSettings = { ...READING, max_threads: 1, max_block_size: '8192' };

/** Of files, which every reader of Parquet or Arrow is to understand. */
const IN_FILES: ClickHouseSettings = {
  ...READING,
  max_threads: 1,
  max_read_buffer_size: '131072',
  output_format_parquet_compression_method: 'snappy',
  output_format_parquet_row_group_size: '131072',
  output_format_parquet_string_as_string: 1,
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: 1,
};

/** Of rows that are added up: what has no room in memory is kept on the disk meanwhile. */
const ADDED_UP: ClickHouseSettings = {
  ...READING,
  max_threads: 0,
  max_bytes_before_external_group_by: '1073741824',
  max_bytes_before_external_sort: '1073741824',
};

export function readingSettings({ isBroad, file }: Statement): ClickHouseSettings {
  if (file !== undefined) return IN_FILES;
  return isBroad ? ADDED_UP : IN_ROWS;
}
