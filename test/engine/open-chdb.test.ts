import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../src/engine/chdb/directory-owner.ts';
import { openChdb } from '../../src/engine/chdb/open-chdb.ts';

let home: string;
let directory: string;
let status: string;

/** Leaves the status file of a killed process. Its id now belongs to a process that does not use the directory. */
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'open-chdb-'));
  directory = join(home, 'db');
  status = join(directory, 'status');
  await mkdir(directory);
  await writeFile(status, `PID: ${process.ppid}\nStarted at: 2026-01-01 00:00:00\nRevision: 1\n`);
});

afterEach(async () => await rm(home, { recursive: true, force: true }));

const dateBeforeBoot = async () => await utimes(status, 1, 1);

test('a database that was open when the machine lost power opens, although another process has got the id', async () => {
  await dateBeforeBoot();
  const engine = await openChdb(directory);
  await engine.close();
});

test.skipIf(process.platform !== 'linux')(
  'a process is the owner of a directory only if it holds the lock of the status file',
  async () => {
    expect(await ownerOf(directory)).toBeUndefined();
  },
);

test('where the system lists no locks, a status file from before the boot has no owner', async () => {
  const noLocks = join(home, 'none');
  expect(await ownerOf(directory, noLocks)).toBe(process.ppid);
  await dateBeforeBoot();
  expect(await ownerOf(directory, noLocks)).toBeUndefined();
});
