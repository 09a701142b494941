import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { denyOtherUsers } from '../../src/database/private-directory.ts';
import { runCommand } from '../support/programs/command.ts';

let home: string;
let directory: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-private-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(home, 'data-'));
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

const close = async (isDatabase: boolean) => await denyOtherUsers(directory, isDatabase);

test.each([0o755, 0o750, 0o775, 0o711])(
  'a database that others can reach, mode %o, is closed to them',
  async (mode) => {
    await writeFile(join(directory, 'file'), '');
    await chmod(directory, mode);
    await close(true);
    expect(await modeOf(directory)).toBe(0o700);
  },
);

test('an empty directory is closed to others, and one that does not exist is left to the engine', async () => {
  await chmod(directory, 0o755);
  await close(false);
  expect(await modeOf(directory)).toBe(0o700);
  await expect(denyOtherUsers(join(directory, 'absent'), false)).resolves.toBeUndefined();
});

test('a directory that is used for something else is refused and left as it is', async () => {
  await writeFile(join(directory, 'letter'), '');
  await chmod(directory, 0o755);
  await expect(close(false)).rejects.toThrow('Other users of this machine can reach');
  expect(await modeOf(directory)).toBe(0o755);
});

test('a directory that everyone can write to is refused', async () => {
  await chmod(directory, 0o1777);
  await expect(close(true)).rejects.toThrow('where the database would keep secrets');
});

test('no file of a database can be read by others, whatever the mode of its directory was', async () => {
  const data = join(home, 'open');
  await mkdir(data, { mode: 0o755 });
  const surroundings = { directory: home, environment: { DATABASE_URL: `chdb:${data}` } };
  const { code, errors } = await runCommand(['token', 'create', '--role', 'admin'], surroundings);
  expect(code, errors).toBe(0);
  const paths = ['', ...(await readdir(data, { recursive: true }))].map((path) => join(data, path));
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: await modeOf(path) })));
  expect(paths.length).toBeGreaterThan(20);
  expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
});
