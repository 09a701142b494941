/** What happens to the server of a soak: imports, revocations and kills, each with its invariants. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { csvOf, FIRST_IMPORTED, IMPORTED_ROWS, type Soak } from './soak.ts';
import { read } from './soak-readers.ts';

/** A revoked token must be refused within this many milliseconds. */
const REVOKED_WITHIN = 5000;

/** Repeats imports. An import is confirmed when its command succeeds: all its rows must then stay, also after kills. */
export async function importRows(soak: Soak): Promise<void> {
  const { server, report, directory, end } = soak;
  const path = join(directory, 'february.csv');
  for (let firstId = FIRST_IMPORTED; !end.aborted; ) {
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

/** Samples memory and open handles. The server may be down for a moment. */
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
