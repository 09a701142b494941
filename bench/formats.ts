/** Benchmark of all sales in one response, in formats other than JSON and as compressed JSON. */

import { RECORD_FIELDS } from '../src/contract/record/records.ts';
import type { Compression } from '../src/http/negotiation/content-coding.ts';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { type Download, download, median } from './download.ts';
import type { Line } from './line.ts';
import { ServerProcess } from './server-process.ts';

const RUNS = 3;

const ALL = `/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** With named fields, the service cannot send the stored rendering of a record. */
const FIELDS = `&fields=${RECORD_FIELDS.admin.map(({ name }) => name).join(',')}`;

interface Form {
  readonly name: string;
  readonly parameters: string;
  readonly coding?: Compression;
}

const FORMS: readonly Form[] = [
  { name: 'ndjson, from the rendered columns', parameters: '&format=ndjson' },
  { name: 'ndjson, rendered anew from the columns', parameters: `&format=ndjson${FIELDS}` },
  { name: 'csv', parameters: '&format=csv' },
  { name: 'parquet', parameters: '&format=parquet' },
  { name: 'arrow', parameters: '&format=arrow' },
  { name: 'JSON compressed by zstd', parameters: '', coding: 'zstd' },
  { name: 'JSON compressed by br', parameters: '', coding: 'br' },
  { name: 'JSON compressed by gzip', parameters: '', coding: 'gzip' },
];

export const benchFormats = async (data: DataSet): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async ({ url }) => {
    const bytesOfJson = (await download(url + ALL, data.adminToken)).bytes;
    const lines: Line[] = [];
    for (const { name, parameters, coding } of FORMS) {
      const runs: Download[] = [];
      while (runs.length < RUNS) {
        runs.push(await download(url + ALL + parameters, data.adminToken, { coding }));
      }
      const seconds = median(runs.map(({ total }) => total));
      const sent = runs[0]?.bytes ?? 0;
      const size = coding === undefined ? sent : bytesOfJson;
      const part = coding === undefined ? '' : `, ${((sent / size) * 100).toFixed(1)} % of it sent`;
      const rate = (size / 1e6 / seconds).toFixed(0);
      lines.push({
        what: `All sales in one answer, as ${name}`,
        measured: `${(size / 1e6).toFixed(0)} MB in ${seconds.toFixed(2)} s, ${rate} MB/s${part}`,
      });
    }
    return lines;
  });
