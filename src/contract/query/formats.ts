/** The table of response formats. */

export interface Format {
  /** Text is written record by record. Other formats have a footer, so the file is written whole. */
  readonly isText: boolean;
  readonly meaning: string;
  /** The media type of a response. */
  readonly mediaType: string;
  /** Other media types that `Accept` may name. */
  readonly aliases: readonly string[];
  /** Extension of file names. */
  readonly extension: string;
}

// biome-ignore format: one format a line
export const FORMATS = {
  json: { isText: true, meaning: 'one JSON array', mediaType: 'application/json; charset=utf-8', aliases: [], extension: 'json' },
  ndjson: { isText: true, meaning: 'one JSON object per line', mediaType: 'application/x-ndjson; charset=utf-8', aliases: ['application/ndjson', 'application/jsonl'], extension: 'ndjson' },
  csv: { isText: true, meaning: 'comma-separated values with a header (RFC 4180)', mediaType: 'text/csv; charset=utf-8; header=present', aliases: [], extension: 'csv' },
  parquet: { isText: false, meaning: 'Apache Parquet', mediaType: 'application/vnd.apache.parquet', aliases: ['application/x-parquet'], extension: 'parquet' },
  arrow: { isText: false, meaning: 'Apache Arrow IPC file', mediaType: 'application/vnd.apache.arrow.file', aliases: [], extension: 'arrow' },
} as const satisfies Record<string, Format>;

const SPREADSHEET = 'For spreadsheets, use format=csv&csv=excel, or csv=excel-en in English.';

/** What to use instead of formats of other APIs. */
export const FORMAT_HINTS: ReadonlyMap<string, string> = new Map([
  ['xlsx', SPREADSHEET],
  ['xls', SPREADSHEET],
  ['excel', SPREADSHEET],
  ['jsonl', 'Did you mean "ndjson"?'],
  ['jsonlines', 'Did you mean "ndjson"?'],
]);

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The formats that are text. The other formats are for lists alone. */
export type TextFormat = {
  [Name in FormatName]: (typeof FORMATS)[Name]['isText'] extends true ? Name : never;
}[FormatName];

export const isTextFormat = (name: FormatName): name is TextFormat => FORMATS[name].isText;

export const TEXT_FORMATS = FORMAT_NAMES.filter(isTextFormat);

/** Variants of CSV for spreadsheets. Their texts do not run as formulas, and numbers have a language's notation. */
// biome-ignore format: one variant a line
export const CSV_VARIANTS = {
  excel: { meaning: 'with semicolons and decimal commas, as in French or German' },
  'excel-en': { meaning: 'with commas and decimal points, as in English' },
} as const;

export type CsvVariant = keyof typeof CSV_VARIANTS;

export const CSV_VARIANT_NAMES = Object.keys(CSV_VARIANTS) as readonly CsvVariant[];

/** The formats of the change feed. */
export const CHANGE_FORMATS = ['json', 'ndjson'] as const satisfies readonly TextFormat[];
