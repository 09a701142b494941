/** Download formats: API parameters, media types and file names. */

import { FORMATS, type FormatName } from '../../../src/contract/query/formats.ts';
import { FILTER_NAMES } from '../query/filters.ts';
import type { Question } from '../query/question.ts';

interface DownloadFormat {
  readonly parameters: Question;
  readonly extension: string;
  /** Part of the file name, for formats with the same extension. */
  readonly variant?: string;
  readonly mediaType: string;
  /** One row a line, so that progress is the number of lines. Other formats have a content length. */
  readonly isLines: boolean;
}

const { csv, ndjson, json, parquet } = FORMATS;

/** All but Arrow, which is for programs. */
// biome-ignore format: one format a line
export const DOWNLOAD_FORMATS = {
  csv: { ...csv, parameters: { format: 'csv' }, isLines: true },
  excel: { ...csv, parameters: { format: 'csv', csv: 'excel' }, variant: 'excel', isLines: true },
  ndjson: { ...ndjson, parameters: { format: 'ndjson' }, isLines: true },
  json: { ...json, parameters: { format: 'json' }, isLines: true },
  parquet: { ...parquet, parameters: { format: 'parquet' }, isLines: false },
} as const satisfies Record<Exclude<FormatName, 'arrow'> | 'excel', DownloadFormat>;

export type DownloadName = keyof typeof DOWNLOAD_FORMATS;

export const DOWNLOAD_NAMES = Object.keys(DOWNLOAD_FORMATS) as readonly DownloadName[];

export const downloadFormat = (name: DownloadName): DownloadFormat => DOWNLOAD_FORMATS[name];

/** For example `sales_2026-01-01_2026-01-31_filtered_excel.csv`. */
export function fileNameOf(question: Question, { extension, variant }: DownloadFormat): string {
  const isFiltered = FILTER_NAMES.some((name) => Object.hasOwn(question, name));
  const parts = [question.type, question.start_date, question.end_date];
  if (isFiltered) parts.push('filtered');
  if (variant !== undefined) parts.push(variant);
  return `${parts.join('_')}.${extension}`;
}
