/** What happens in a soak: readers, imports, revocations and kills, each with its invariants. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakReport } from './soak-report.ts';
import type { SoakServer } from './soak-server.ts';

/** Rows of January, which nothing changes, and of each import into February. */
export const JANUARY_ROWS = 5000;
export const IMPORTED_ROWS = 200;

/** Milliseconds in which a revoked token must be refused. */
const REVOKED_WITHIN = 5000;

export interface Soak {
  readonly server: SoakServer;
  readonly report: SoakReport;
  readonly directory: string;
  readonly token: string;
  /** Milliseconds between two kills. */
  readonly killInterval: number;
  /** Aborted at the end. */
  readonly end: AbortSignal;
  /** Rows of February that imports have confirmed. */
  confirmed: number;
}

const LIST = '/api/admin/transactions?type=sales';
const JANUARY = 'start_date=2026-01-01&end_date=2026-01-31';
const FEBRUARY = 'start_date=2026-02-01&end_date=2026-02-28';

/** Rows as CSV. The identifiers of each file are its own. */
export function csvOf(month: string, rows: number, firstId: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const day = `2026-${month}-${String(1 + (at % 28)).padStart(2, '0')} 12:00:00`;
    return `${firstId + at},12,${100 + (at % 50)},7,2,${day},${day}\n`;
  });
  return `transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at\n${lines.join('')}`;
}

/** Undefined if the server was gone or the response was cut, as around a kill. */
async function read({ server, end }: Soak, path: string, token: string) {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(server.url + path, { headers, signal: end });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** How many rows a complete response has. */
const ROWS_OF: Readonly<Record<string, (text: string) => number>> = {
  json: (text) => (JSON.parse(text) as unknown[]).length,
  ndjson: linesIn,
  csv: (text) => linesIn(text) - 1,
};

/** Unchanged rows are always complete, and imported ones come whole. */
export async function readLists(soak: Soak): Promise<void> {
  const { report, token, end } = soak;
  for (let at = 0; !end.aborted; at += 1) {
    const [format = '', rowsOf = linesIn] = Object.entries(ROWS_OF)[at % 3] ?? [];
    const isJanuary = at % 2 === 0;
    const { confirmed } = soak;
    const period = isJanuary ? JANUARY : FEBRUARY;
    const found = await read(
      soak,
      `${LIST}&${period}&format=${format}&fields=transaction_id`,
      token,
    );
    report.count(`lists: ${found?.status ?? 'cut'}`);
    if (found?.status !== 200) {
      await sleep(100);
      continue;
    }
    const rows = rowsOf(found.text);
    if (isJanuary) report.check(`${format} has all rows of January`, rows === JANUARY_ROWS, rows);
    else {
      report.check(`${format} has whole imports`, rows % IMPORTED_ROWS === 0, rows);
      report.check(`${format} has confirmed imports`, rows >= confirmed, { rows, confirmed });
    }
  }
}

const OTHERS = [
  `${LIST}&${JANUARY}&limit=100`,
  `${LIST}&${JANUARY}&format=parquet`,
  `${LIST}&${JANUARY}&format=arrow`,
  `/api/admin/transactions/summary?type=sales&${JANUARY}&group_by=day`,
  '/api/me',
  '/health/ready',
];

/** Every other kind of response succeeds, or says that the service is busy or starting. */
export async function readOthers(soak: Soak): Promise<void> {
  const { report, token, end } = soak;
  for (let at = 0; !end.aborted; at += 1) {
    const path = OTHERS[at % OTHERS.length] ?? '';
    const found = await read(soak, path, token);
    report.count(`others: ${found?.status ?? 'cut'}`);
    const isExpected = found === undefined || [200, 429, 503].includes(found.status);
    report.check('responses succeed', isExpected, { path, status: found?.status });
    await sleep(20);
  }
}

/** Imports are confirmed only if all their rows stay, also after kills. */
export async function importRows(soak: Soak): Promise<void> {
  const { server, report, directory, end } = soak;
  const path = join(directory, 'february.csv');
  for (let firstId = 1_000_000; !end.aborted; ) {
    await writeFile(path, csvOf('02', IMPORTED_ROWS, firstId));
    const isImported = await server.run('import', path, '--type', 'sales').then(
      () => true,
      () => false,
    );
    report.count(isImported ? 'imports' : 'imports interrupted');
    // An interrupted import is repeated, as an operator would.
    if (!isImported) continue;
    soak.confirmed += IMPORTED_ROWS;
    firstId += IMPORTED_ROWS;
    await sleep(500);
  }
}

/** A revoked token is refused in time. */
export async function revokeTokens(soak: Soak): Promise<void> {
  const { server, report, end } = soak;
  while (!end.aborted) {
    await sleep(1000);
    try {
      const created = await server.run('token', 'create', '--json', '--role', 'admin');
      const { id, token } = JSON.parse(created) as { id: string; token: string };
      await read(soak, '/api/me', token);
      await server.run('token', 'revoke', id);
      await sleep(REVOKED_WITHIN);
      const found = await read(soak, '/api/me', token);
      const isRefused = found === undefined || found.status === 401 || found.status === 503;
      report.check('a revoked token is refused', isRefused, found?.status);
      report.count('revocations');
    } catch {
      report.count('revocations interrupted');
    }
  }
}

/** Kills the server and starts it again. */
export async function killServer({ server, report, killInterval, end }: Soak): Promise<void> {
  for (;;) {
    await sleep(killInterval, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    await server.end('SIGKILL');
    report.restarted();
    await server.start();
    report.count('kills');
  }
}

/** The server may be away for a moment. */
export async function sampleServer({ server, report, end }: Soak): Promise<void> {
  while (!end.aborted) {
    await sleep(1000);
    if (!server.isServing) continue;
    const [memory, handles] = await Promise.all([server.memory(), server.handles()]).catch(
      () => [],
    );
    if (memory !== undefined && handles !== undefined) report.sample(memory, handles);
  }
}
