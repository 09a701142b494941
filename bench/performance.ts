/** Benchmark of `/performance`: groups of all sales for an administrator, and of one website for an affiliate. */

import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import { requester, times } from './requests.ts';
import { ServerProcess } from './server-process.ts';

/** Requests of each measurement. The first third is a warm-up. */
const TIMES = 30;

const PERIOD = `start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** The questions of an administrator, all about the same period, and their parameters. */
const QUESTIONS: readonly (readonly [what: string, parameters: string])[] = [
  ['all sales by program', '&group_by=program_id'],
  ['the ten best programs', '&group_by=program_id&sort=-earnings&limit=10'],
  ['totals of all sales', ''],
  ['all sales by sub id', '&group_by=subid'],
  [
    'all sales by program, compared with the period before',
    '&group_by=program_id&compare=previous',
  ],
];

export const benchPerformance = async (data: DataSet): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async (server) => {
    await server.idle();
    const lines: Line[] = [];
    for (const [what, parameters] of QUESTIONS) {
      const url = `${server.url}/api/admin/performance?${PERIOD}${parameters}`;
      lines.push(await measured(what, data.adminToken, () => url));
    }
    const websiteOf = (at: number) => data.websites[at % data.websites.length];
    const url = `${server.url}/api/affiliate/performance?${PERIOD}&group_by=program_id`;
    const question = (at: number) => `${url}&publisher_id=${websiteOf(at)}`;
    return [
      ...lines,
      await measured('one website by program, affiliate', data.affiliateToken, question),
    ];
  });

async function measured(what: string, token: string, urlOf: (at: number) => string): Promise<Line> {
  const all = await times(requester(token, urlOf), TIMES);
  const time = median(all.slice(TIMES / 3));
  return { what: `Performance, ${what} (median)`, measured: `${time.toFixed(1)} ms` };
}
