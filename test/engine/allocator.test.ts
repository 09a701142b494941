import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Prints how long the engine's allocator keeps freed memory, in milliseconds. */
const PROGRAM = `
const { Session } = await import('chdb');
const session = new Session(process.argv[1]);
const stats = session.query('SELECT * FROM system.jemalloc_stats', 'TSVRaw');
console.log(/opt\\.dirty_decay_ms: (\\d+)/.exec(stats)?.[1]);
process.exit(0);
`;

test("the engine's allocator takes its settings from the environment", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-allocator-'));
  const env = { ...process.env, JE_MALLOC_CONF: 'dirty_decay_ms:1234,muzzy_decay_ms:0' };
  const args = ['--input-type=module', '-e', PROGRAM, join(directory, 'db')];
  const { stdout } = await run(process.execPath, args, { env });
  expect(stdout.trim()).toBe('1234');
  await rm(directory, { recursive: true, force: true });
});
