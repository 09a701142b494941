/** Benchmark of the first requests of the explorer: summaries of a month of one website, and its first rows. */

import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import { requester, times } from './requests.ts';
import { ServerProcess } from './server-process.ts';
import { importRows } from './small-imports.ts';

/** Requests of each measurement, each for another website. The first third is a warm-up. */
const TIMES = 30;
const IMPORTS = 10;

const periodOf = (first: number, last: number): string =>
  `type=sales&start_date=${dayOf(first)}&end_date=${dayOf(last)}`;

const MONTH = periodOf(DAYS - 28, DAYS - 1);
const MONTH_BEFORE = periodOf(DAYS - 56, DAYS - 29);

const BY_DAY = `transactions/summary?${MONTH}&group_by=day`;
const PAGE = `transactions?${MONTH}&limit=100`;
const QUESTIONS = [
  ...['day,status', 'program_id', 'publisher_id', 'country', 'device_type'].map(
    (groupings) => `transactions/summary?${MONTH}&group_by=${groupings}`,
  ),
  `transactions/summary?${MONTH_BEFORE}&group_by=type`,
  BY_DAY,
  PAGE,
];

type Role = 'affiliate' | 'admin';

const WHO: { readonly [role in Role]: string } = {
  affiliate: 'an affiliate',
  admin: 'an administrator',
};

export const benchFirstView = async (data: DataSet): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async (server) => {
    await server.idle();
    const medianOf = async (role: Role, question: string) => {
      const measured = await times(requestOf(server, data, role, question), TIMES);
      return median(measured.slice(TIMES / 3));
    };
    const lines: Line[] = [];
    for (const role of ['affiliate', 'admin'] as const) {
      const measured: number[] = [];
      for (const question of QUESTIONS) measured.push(await medianOf(role, question));
      lines.push({
        what: `First view of one website for ${WHO[role]}, the slowest of its requests (median)`,
        measured: `${Math.max(...measured).toFixed(1)} ms`,
        against: `the fastest: ${Math.min(...measured).toFixed(1)} ms`,
      });
    }
    const byDay = await medianOf('admin', BY_DAY);
    lines.push({
      what: 'Summary by day of one website, administrator (median)',
      measured: `${byDay.toFixed(1)} ms`,
    });
    return [...lines, await afterImports(server, data)];
  });

function requestOf({ url }: ServerProcess, data: DataSet, role: Role, question: string) {
  const token = role === 'admin' ? data.adminToken : data.affiliateToken;
  return requester(token, (at) => {
    const website = data.websites[at % data.websites.length];
    return `${url}/api/${role}/${question}&publisher_id=${website}`;
  });
}

/** Measures the first page after each of several imports. */
async function afterImports(server: ServerProcess, data: DataSet): Promise<Line> {
  const page = requestOf(server, data, 'affiliate', PAGE);
  const measured: number[] = [];
  while (measured.length < IMPORTS) {
    await importRows(data);
    measured.push(...(await times(page, 1)));
  }
  return {
    what: "First page of a website's month right after an import of 1,000 rows (median)",
    measured: `${median(measured).toFixed(1)} ms`,
    against: `the slowest: ${Math.max(...measured).toFixed(1)} ms`,
  };
}
