/** Download formats: API parameters, media types and file names. */

import { type CsvVariant, FORMATS, type FormatName } from '../../../src/contract/query/formats.ts';
import type { ApiQuery } from '../query/api-query.ts';
import { FILTER_NAMES } from '../query/filters.ts';

interface DownloadFormat {
  readonly parameters: ApiQuery;
  readonly extension: string;
  /** Part of the file name, for formats with the same extension. */
  readonly variant?: string;
  readonly mediaType: string;
  /** Whether each row is one line. Then progress counts lines. Other formats have a content length. */
  readonly isLines: boolean;
}

const { csv, ndjson, json, parquet } = FORMATS;

/** Every format of the API except Arrow, which is read by code rather than by people. */
// biome-ignore format: one format a line
export const DOWNLOAD_FORMATS = {
  csv: { ...csv, parameters: { format: 'csv' }, isLines: true },
  excel: { ...csv, parameters: { format: 'csv', csv: 'excel' }, variant: 'excel', isLines: true },
  'excel-en': { ...csv, parameters: { format: 'csv', csv: 'excel-en' }, variant: 'excel-en', isLines: true },
  ndjson: { ...ndjson, parameters: { format: 'ndjson' }, isLines: true },
  json: { ...json, parameters: { format: 'json' }, isLines: true },
  parquet: { ...parquet, parameters: { format: 'parquet' }, isLines: false },
} as const satisfies Record<Exclude<FormatName, 'arrow'> | CsvVariant, DownloadFormat>;

export type DownloadName = keyof typeof DOWNLOAD_FORMATS;

export const DOWNLOAD_NAMES = Object.keys(DOWNLOAD_FORMATS) as readonly DownloadName[];

export const downloadFormat = (name: DownloadName): DownloadFormat => DOWNLOAD_FORMATS[name];

/** For example `sales_2026-01-01_2026-01-31_filtered_excel.csv`. */
export function fileNameOf(query: ApiQuery, { extension, variant }: DownloadFormat): string {
  const isFiltered = FILTER_NAMES.some((name) => Object.hasOwn(query, name));
  const parts = [query.type, query.start_date, query.end_date];
  if (isFiltered) parts.push('filtered');
  if (variant !== undefined) parts.push(variant);
  return `${parts.join('_')}.${extension}`;
}
