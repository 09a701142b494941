/** All sales in one answer, in formats other than JSON and compressed. */

import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { download, median } from './download.ts';
import type { Line } from './line.ts';
import type { ServerProcess } from './server-process.ts';

const RUNS = 5;

export async function benchFormats(server: ServerProcess, data: DataSet): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const format of ['csv', 'parquet', 'arrow']) {
    const path = `/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}&format=${format}`;
    const times: number[] = [];
    let size = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const { bytes, total } = await download(server.url + path, data.adminToken);
      size = bytes / 1e6;
      times.push(total);
    }
    const seconds = median(times);
    lines.push({
      what: `All sales in one answer, as ${format}`,
      measured: `${size.toFixed(0)} MB in ${seconds.toFixed(2)} s, ${(size / seconds).toFixed(0)} MB/s`,
    });
  }
  return lines;
}
