/** The table of formats in which a list is written. */

export interface Format {
  readonly meaning: string;
  /** The media type that an answer has. */
  readonly mediaType: string;
  /** Other media types by which clients ask for it. */
  readonly alsoKnownAs: readonly string[];
  /** Of a file's name. */
  readonly extension: string;
}

// biome-ignore format: one format a line
export const FORMATS = {
  json: { meaning: 'one JSON array', mediaType: 'application/json; charset=utf-8', alsoKnownAs: [], extension: 'json' },
  ndjson: { meaning: 'one JSON object a line', mediaType: 'application/x-ndjson; charset=utf-8', alsoKnownAs: ['application/ndjson', 'application/jsonl'], extension: 'ndjson' },
  csv: { meaning: 'comma-separated values with a header (RFC 4180)', mediaType: 'text/csv; charset=utf-8; header=present', alsoKnownAs: [], extension: 'csv' },
  parquet: { meaning: 'Apache Parquet', mediaType: 'application/vnd.apache.parquet', alsoKnownAs: ['application/x-parquet'], extension: 'parquet' },
  arrow: { meaning: 'Apache Arrow IPC file', mediaType: 'application/vnd.apache.arrow.file', alsoKnownAs: [], extension: 'arrow' },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The formats that are text, record after record. */
export const TEXT_FORMATS = ['json', 'ndjson', 'csv'] as const satisfies readonly FormatName[];
