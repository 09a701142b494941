import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand, type ServingCommand, startServing } from '../support/programs/command.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-serve-'));
  await newDatabase(join(home, 'data'), 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

test('serve on a taken port fails with advice, and closes the database', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const { code, errors } = await runCommand(['serve', '--port', String(port)], { directory: home });
  taken.close();
  expect(code).toBe(1);
  expect(errors).toContain(`Cannot listen on 127.0.0.1, port ${port}: EADDRINUSE.`);
  expect(errors).toContain(`Choose another port: --port ${port + 1}`);
  const { engine } = await openDatabase({ url: `chdb:${join(home, 'data')}`, timeZone: undefined });
  await engine.close();
});

// Only in the full run. In `npm test`, the test above fails to listen.
test.runIf(IS_FULL)('serve on an address of another machine fails with the reason', async () => {
  const { code, errors } = await runCommand(['serve', '--host', '192.0.2.1'], { directory: home });
  expect([code, errors]).toEqual([1, expect.stringContaining('Cannot listen on 192.0.2.1')]);
  expect(errors).toContain('--host 127.0.0.1');
});

async function niceValue(pid: number, thread: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]);
}

const loweredNiceValue = async (pid: number): Promise<number> =>
  Math.min((await niceValue(pid, pid)) + 5, 19);

/** The different nice values of all threads of a process but the main one. */
async function otherNiceValues(pid: number): Promise<readonly number[]> {
  const threads = (await readdir(`/proc/${pid}/task`)).map(Number).filter((id) => id !== pid);
  return [...new Set(await Promise.all(threads.map((id) => niceValue(pid, id))))];
}

const ENGINE_ALLOCATOR = 'JE_MALLOC_CONF=dirty_decay_ms:1000,muzzy_decay_ms:0';
const WITHOUT_EXECVE = ['--import', 'data:text/javascript,delete process.execve'];

describe('a service', () => {
  let server: ServingCommand;

  beforeAll(async () => {
    server = await startServing(['serve', '--port', '0'], {
      directory: home,
      environment: { LOG_LEVEL: 'trace' },
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'runs with its V8 flags, allocator settings and thread priorities, in the process that was started',
    async () => {
      const { pid = 0 } = server.child;
      // Threads that start meanwhile are found within a second.
      await expect
        .poll(async () => await otherNiceValues(pid))
        .toEqual([await loweredNiceValue(pid)]);
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      expect(commandLine.split('\0')).toEqual(
        expect.arrayContaining(['--no-incremental-marking', '--max-semi-space-size=4']),
      );
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      expect(environment.split('\0')).toEqual(
        expect.arrayContaining([ENGINE_ALLOCATOR, 'MALLOC_ARENA_MAX=1']),
      );
    },
  );

  test('logs JSON with its URL and without tokens, and ends without errors', async () => {
    const { output } = await runCommand(['token', 'create', '--role', 'admin'], {
      directory: home,
    });
    const token = output.trim();
    const path = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-02';
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(server.url + path, { headers })).status).toBe(200);
    expect(
      (await fetch(server.url + path, { headers: { authorization: 'Bearer trx_wrong' } })).status,
    ).toBe(401);
    const outcome = await server.stop();
    expect(outcome).toMatchObject({ code: 0, errors: '' });
    expect(server.log.length).toBeGreaterThan(3);
    expect(server.log.map((line) => typeof JSON.parse(line))).not.toContain('string');
    expect(outcome.output).not.toMatch(/trx_|[0-9a-f]{64}/);
    expect(server.log.find((line) => line.includes('"serving"'))).toContain(server.url);
  });
});

// Only in the full run. In `npm test`, the test above runs the service in the process that was started.
test.runIf(IS_FULL)(
  'without execve the service is a child process, which ends with its parent',
  async () => {
    const surroundings = { directory: home, nodeArgs: WITHOUT_EXECVE };
    const server = await startServing(['serve', '--port', '0'], surroundings);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed');
  },
);

// Only in the full run, like the test above.
test.runIf(IS_FULL)('without execve the exit code is that of the child process', async () => {
  const args = ['serve', '--host', '192.0.2.1'];
  const { code, errors } = await runCommand(args, { directory: home, nodeArgs: WITHOUT_EXECVE });
  expect([code, errors]).toEqual([1, expect.stringContaining('Cannot listen on 192.0.2.1')]);
});
