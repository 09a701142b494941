/** The facts of the service's contract, written by `npm run generate`; not to be edited. */

/** The most records that the service puts on a page. */
export const MAX_PAGE_SIZE = 10_000;

/** The media type of each format, without its parameters. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
} as const;
