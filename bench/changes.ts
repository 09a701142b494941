/** Benchmark of the change feed: a page of a hundred changes among many transactions. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RemoteOperator } from '../src/control/remote-operator.ts';
import { DAYS, type DataSet, dayOf, makeDataSet } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import { requester, times } from './requests.ts';
import { ServerProcess } from './server-process.ts';

const ROWS = Number(process.env.BENCH_CHANGES_ROWS ?? 10_000_000);

const CHANGES = 100;

/** Requests of each reader. The first third is a warm-up. */
const TIMES = 60;

export async function benchChanges(directory: string): Promise<readonly Line[]> {
  const place = join(directory, 'changes');
  await mkdir(place);
  return await benchChangesAmong(await makeDataSet(place, ROWS, { withCsv: false }), place);
}

/** The month cache is off, because the feed does not read it. */
const benchChangesAmong = async (data: DataSet, directory: string): Promise<readonly Line[]> =>
  await ServerProcess.during(
    data.url,
    async (server) => {
      const readers = [
        { role: 'admin', token: data.adminToken, who: 'an administrator' },
        {
          role: 'affiliate',
          token: data.affiliateToken,
          who: `an affiliate with ${data.websites.length.toLocaleString('en')} websites`,
        },
      ];
      const begun = await Promise.all(readers.map((reader) => linkOf(server, reader)));
      await importSales(data, directory);
      const lines: Line[] = [];
      for (const [at, { token, who }] of readers.entries()) {
        const url = new URL(begun[at] ?? '', server.url).href;
        await expectChanges(url, token);
        const all = await times(
          requester(token, () => url),
          TIMES,
        );
        const rows = data.rows.toLocaleString('en');
        lines.push({
          what: `Feed, ${CHANGES} changes among ${rows} sales, ${who} (median)`,
          measured: `${median(all.slice(TIMES / 3)).toFixed(1)} ms`,
        });
      }
      return lines;
    },
    { MEMORY_CACHE: '0' },
  );

interface Reader {
  readonly role: string;
  readonly token: string;
}

/** The link to the changes from now on. */
async function linkOf({ url }: ServerProcess, { role, token }: Reader): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/${role}/transactions/changes?type=sales`, { headers });
  const link = /<(.*)>/.exec(response.headers.get('link') ?? '')?.[1];
  if (link === undefined) throw new Error(`Status ${response.status} without a link.`);
  return link;
}

async function expectChanges(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const changes: unknown = await response.json();
  if (!Array.isArray(changes) || changes.length !== CHANGES)
    throw new Error(`Not ${CHANGES} changes: ${JSON.stringify(changes).slice(0, 1000)}`);
}

/** Imports sales of the affiliate's websites, spread over all months. */
async function importSales({ url, rows, websites, programs }: DataSet, directory: string) {
  const lines = Array.from({ length: CHANGES }, (_, at) =>
    [
      'sales',
      2 * rows + at,
      programs[at % programs.length],
      websites[(7 * at) % websites.length],
      1,
      2,
      `${dayOf((at * 37) % DAYS)} 12:00:00`,
      '2026-05-01 12:00:00',
    ].join(','),
  );
  const header =
    'type,transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at';
  const path = join(directory, 'changes.csv');
  await writeFile(path, `${[header, ...lines].join('\n')}\n`);
  const operator = new RemoteOperator(url.slice('chdb:'.length));
  const files = [{ path, name: 'changes.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  await operator.close();
}
