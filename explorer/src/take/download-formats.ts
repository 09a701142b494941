/** The forms in which a list is taken away. */

import { FORMATS } from '../../../src/contract/formats.ts';
import type { Question } from '../question.ts';

interface DownloadFormat {
  readonly parameters: Question;
  readonly extension: string;
  readonly mediaType: string;
  /** Its rows are lines, so that those that have come can be counted; the length of others is known. */
  readonly isLines: boolean;
}

const { csv, ndjson, json, parquet } = FORMATS;

// biome-ignore format: one format a line
export const DOWNLOAD_FORMATS = {
  csv: { ...csv, parameters: { format: 'csv' }, isLines: true },
  excel: { ...csv, parameters: { format: 'csv', csv: 'excel' }, isLines: true },
  ndjson: { ...ndjson, parameters: { format: 'ndjson' }, isLines: true },
  json: { ...json, parameters: { format: 'json' }, isLines: true },
  parquet: { ...parquet, parameters: { format: 'parquet' }, isLines: false },
} as const satisfies Record<string, DownloadFormat>;

export type DownloadName = keyof typeof DOWNLOAD_FORMATS;

export const DOWNLOAD_NAMES = Object.keys(DOWNLOAD_FORMATS) as readonly DownloadName[];

export const downloadFormat = (name: DownloadName): DownloadFormat => DOWNLOAD_FORMATS[name];

/** Such as `sales_2026-01-01_2026-01-31.csv`. */
export const fileNameOf = (question: Question, { extension }: DownloadFormat): string =>
  `${question.type}_${question.start_date}_${question.end_date}.${extension}`;
