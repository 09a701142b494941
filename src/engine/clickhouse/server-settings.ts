/** ClickHouse settings that are sent with each query to a server. */

import type { ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from '../../plan/sql.ts';
import { MAX_STATEMENT_LENGTH } from '../engine.ts';
import {
  AGGREGATION_SETTINGS,
  FILE_SETTINGS,
  LIST_SETTINGS,
  settingsFor,
} from '../query-settings.ts';

const SERVER_SETTINGS = {
  cancel_http_readonly_queries_on_client_close: 1,
  // A query for one publisher reads one shard only.
  optimize_skip_unused_shards: 1,
  // Seconds. Servers report progress to each other all the time, so silence means a failure.
  receive_timeout: 5,
  // Seconds. A replica that catches up after an outage would lack the newest imports, of which the change feed already
  // tells. It is read only if no other replica of its shard is less behind. By default, it may be 300 seconds behind.
  max_replica_delay_for_distributed_queries: '1',
} as const;

/** The profile of a user with `readonly = 1`, who cannot send settings. */
export const PROFILE = {
  readonly: 1,
  ...SERVER_SETTINGS,
  ...AGGREGATION_SETTINGS,
  ...FILE_SETTINGS,
  ...LIST_SETTINGS,
};

export const readingSettings = (statement: Statement): ClickHouseSettings => ({
  ...settingsFor(statement),
  ...SERVER_SETTINGS,
  wait_end_of_query: 0,
});

/** A statement ends only when every shard has written its rows. */
export const WRITE_SETTINGS: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  // Otherwise each shard would write its rows to only one of its replicas.
  parallel_distributed_insert_select: '0',
  max_query_size: String(MAX_STATEMENT_LENGTH),
};
