/** The table of metrics: names, types, labels and help texts that follow the conventions of Prometheus. */

import { IMPORT_OUTCOMES } from '../audit/audit-events.ts';

interface Described {
  readonly help: string;
  readonly labels: readonly string[];
}

interface CounterDefinition extends Described {
  readonly type: 'counter';
  /** The values of its only label, all of which are served from the start: `increase()` ignores a first sample. */
  readonly values?: readonly string[];
}

type GaugeDefinition = Described & { readonly type: 'gauge' };

interface HistogramDefinition extends Described {
  readonly type: 'histogram';
  /** Upper bounds, in seconds. */
  readonly buckets: readonly number[];
}

export type MetricDefinition = CounterDefinition | GaugeDefinition | HistogramDefinition;

const FIRST_BYTE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const IMPORT_BUCKETS = [1, 5, 15, 60, 300, 900, 3600] as const;

// biome-ignore format: one metric a line
export const METRICS = {
  transactions_build_info: { type: 'gauge', labels: ['version', 'node'], help: 'Always 1; the labels tell the versions of the service and of Node.js' },
  transactions_http_requests_total: { type: 'counter', labels: ['route', 'status'], help: 'Responses, including those whose client disconnected; status 499 if it did so before the response began' },
  transactions_http_first_byte_seconds: { type: 'histogram', labels: ['route'], buckets: FIRST_BYTE_BUCKETS, help: 'Time from a request to the first byte of its body' },
  transactions_http_response_bytes_total: { type: 'counter', labels: ['route'], help: 'Bytes of response bodies, after compression' },
  transactions_http_cut_total: { type: 'counter', labels: ['route'], help: 'Responses whose connection closed before the end: the client left, or the service cut them' },
  transactions_downloads_open: { type: 'gauge', labels: [], help: 'Reports that are being sent, without pages of the change feed' },
  transactions_resumptions_total: { type: 'counter', labels: ['reason'], values: ['failed', 'released'], help: 'Times that a download continued with a new query after its last row: because the engine failed, or because its query was stopped for other queries or for a slow client' },
  transactions_queries_running: { type: 'gauge', labels: ['class'], help: 'Queries that the engine runs' },
  transactions_queries_limit: { type: 'gauge', labels: ['class'], help: 'Queries that the engine may run at a time' },
  transactions_queries_waiting: { type: 'gauge', labels: ['class', 'priority'], help: 'Queries that wait in the queue' },
  transactions_queries_started_total: { type: 'counter', labels: ['class', 'priority'], help: 'Queries that left the queue' },
  transactions_queries_wait_seconds_total: { type: 'counter', labels: ['class', 'priority'], help: 'Time that started queries had waited in the queue' },
  transactions_rows_total: { type: 'counter', labels: ['class'], help: 'Rows that the embedded engine returned; absent for a ClickHouse server' },
  transactions_cache_lookups_total: { type: 'counter', labels: ['cache', 'result'], help: 'Lookups in the token cache and the month cache: hits, and misses, which the database answered in whole or in part' },
  transactions_imports_total: { type: 'counter', labels: ['result'], values: IMPORT_OUTCOMES, help: 'Imports through this process by their outcome, as in the audit log: imported, refused because of faulty rows, failed, disk_full, or aborted by their user' },
  transactions_import_rows_total: { type: 'counter', labels: ['result'], values: ['imported', 'rejected'], help: 'Rows of imports through this process: imported or rejected' },
  transactions_import_seconds: { type: 'histogram', labels: [], buckets: IMPORT_BUCKETS, help: 'Duration of imports through this process' },
  transactions_retention_months_total: { type: 'counter', labels: ['type'], help: 'Months of a type that RETENTION removed through this process' },
  transactions_retention_rows_total: { type: 'counter', labels: ['type'], help: 'Rows that RETENTION removed through this process' },
  transactions_newest_row_timestamp_seconds: { type: 'gauge', labels: [], help: 'The latest created_at of all transactions, as Unix time; absent without transactions' },
  transactions_last_import_timestamp_seconds: { type: 'gauge', labels: [], help: 'The end of the last import of transactions or names, or of the last restore, by any process, as Unix time; absent without imports' },
  transactions_database_up: { type: 'gauge', labels: [], help: 'Whether the database answered within two seconds: 1 or 0' },
  transactions_engine_memory_bytes: { type: 'gauge', labels: [], help: 'Memory that the engine has allocated, as the engine reports it; absent if it reports none' },
  transactions_audit_lines_written_total: { type: 'counter', labels: ['destination'], help: 'Lines of the audit log that this process has written to the database or to the file' },
  transactions_audit_lines_waiting: { type: 'gauge', labels: ['destination'], help: 'Lines of the audit log that wait in memory to be written' },
  transactions_audit_lines_dropped_total: { type: 'counter', labels: ['destination'], help: 'Lines of the audit log that were lost, because the destination accepted none for too long' },
  transactions_tokens_valid: { type: 'gauge', labels: [], help: 'Access tokens that are valid' },
  transactions_tokens_ending: { type: 'gauge', labels: [], help: 'Valid access tokens that expire within seven days' },
  transactions_webhooks: { type: 'gauge', labels: ['state'], help: 'Webhooks that this process delivers: active, retrying after a failure, paused by an operator, or stopped by the service' },
  transactions_webhook_deliveries_total: { type: 'counter', labels: ['result'], values: ['delivered', 'failed', 'gone'], help: 'Attempts to deliver a message to a webhook: delivered, failed, or gone (status 410)' },
  transactions_webhook_lag_seconds: { type: 'gauge', labels: [], help: 'Age of the oldest change that waits for its delivery to an active webhook; 0 if none waits' },
  transactions_disk_free_bytes: { type: 'gauge', labels: [], help: 'Free space, for the user that the process runs as, on the disk of the database or of temporary files' },
  transactions_disk_size_bytes: { type: 'gauge', labels: [], help: 'Size of the disk' },
  transactions_event_loop_delay_seconds: { type: 'gauge', labels: ['quantile'], help: 'Delay of the event loop since the last scrape; quantile 1 is the longest' },
  process_resident_memory_bytes: { type: 'gauge', labels: [], help: 'Resident memory of the process, with an embedded engine' },
  process_cpu_seconds_total: { type: 'counter', labels: [], help: 'CPU time of the process, user and system' },
  process_start_time_seconds: { type: 'gauge', labels: [], help: 'Start of the process, as Unix time' },
} as const satisfies Record<`${'transactions' | 'process'}_${string}`, MetricDefinition>;

export type MetricName = keyof typeof METRICS;

export type MetricOf<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** The gauges without labels. */
export type PlainGauge = {
  [Name in MetricOf<'gauge'>]: (typeof METRICS)[Name]['labels'] extends readonly [] ? Name : never;
}[MetricOf<'gauge'>];

/** The values of all labels of a metric. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in (typeof METRICS)[Name]['labels'][number]]: ValueOf<(typeof METRICS)[Name]>;
};

type ValueOf<Definition> = Definition extends { readonly values: readonly (infer Value)[] }
  ? Value & string
  : string;
