/** What reading asks of a server; a user with `readonly = 1` has these in the profile instead. */

import type { ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from '../../plan/sql.ts';
import { ADDED_UP, IN_FILES, IN_ROWS, settingsFor } from '../query-settings.ts';

const OF_SERVERS = {
  cancel_http_readonly_queries_on_client_close: 1,
  // What is asked of one website concerns one shard.
  optimize_skip_unused_shards: 1,
  // Servers tell each other of their progress all the time, or are gone.
  receive_timeout: 5,
} as const;

/** For a user who may set nothing: what suits rows, and beside it what sums and files need. */
export const PROFILE = { readonly: 1, ...OF_SERVERS, ...ADDED_UP, ...IN_FILES, ...IN_ROWS };

export const readingSettings = (statement: Statement): ClickHouseSettings => ({
  ...settingsFor(statement),
  ...OF_SERVERS,
  wait_end_of_query: 0,
});
