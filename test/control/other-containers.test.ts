import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { socketPath } from '../../src/database/open-database.ts';
import { COMMAND, type Outcome, outcomeOf } from '../support/programs/command.ts';
import { missingOf, NAMESPACE, skipped } from '../support/programs/programs.ts';
import { startService, type TestService } from '../support/requests/service.ts';

const MISSING = missingOf('namespaces of processes');

let service: TestService;
let directory: string;

beforeAll(async () => {
  service = await startService();
  directory = service.database.directory ?? '';
});

afterAll(async () => await service.close());

/** Runs a command as in a container that shares the directory of the database. */
async function run(...args: readonly string[]): Promise<Outcome> {
  const command = [process.execPath, COMMAND, ...args, '--database', `chdb:${directory}`];
  const { PATH = '' } = process.env;
  return await outcomeOf(spawn('unshare', [...NAMESPACE, ...command], { env: { PATH } }));
}

const suffix = skipped(MISSING);

test.skipIf(MISSING.length > 0)(
  `a command in another container uses the socket of the running server${suffix}`,
  async () => {
    const { code, output, errors } = await run('token', 'create', '--role', 'admin');
    expect([code, errors]).toEqual([0, expect.not.stringContaining('lock')]);
    const response = await service.get('/api/me', output.trim());
    expect(response.status).toBe(200);
  },
);

test.skipIf(MISSING.length > 0)(
  `a second server in another container is refused with advice${suffix}`,
  async () => {
    const { code, errors } = await run('serve', '--port', '0');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /Another process, perhaps in another container, uses .*Stop the other process, or serve another/s,
    );
  },
);

// The last test, because it removes the socket.
test.skipIf(MISSING.length > 0)(
  `a database that a command in another container has open is recognised by its lock${suffix}`,
  async () => {
    await rm(socketPath(directory));
    const { code, errors } = await run('check');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /Another process has opened the database in .* and does not answer.*It may be in another container/s,
    );
  },
);
