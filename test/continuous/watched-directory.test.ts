import fs, {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WatchedDirectory } from '../../src/cli/continuous/watched-directory.ts';

let home: string;
let spool: WatchedDirectory;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'spool-'));
  spool = new WatchedDirectory(home);
});

afterEach(async () => await rm(home, { recursive: true, force: true }));

const put = async (name: string, text = name) => await writeFile(join(home, name), text);

/** Fails if a file cannot be moved. */
const takeArrived = async () =>
  await spool.takeArrived((name, error) => {
    throw new Error(name, { cause: error });
  });

function failNextMove(): void {
  const busy = Object.assign(new Error(), { code: 'EBUSY' });
  const rename = vi.spyOn(fs, 'rename').mockRejectedValueOnce(busy);
  syncBuiltinESMExports();
  onTestFinished(() => {
    rename.mockRestore();
    syncBuiltinESMExports();
  });
}

async function takeAll(): Promise<readonly string[]> {
  await takeArrived();
  await takeArrived();
  return await spool.taken();
}

test('a file is taken when it has not changed between two scans', async () => {
  await put('a.csv', 'one');
  await takeArrived();
  await put('a.csv', 'one and more');
  await takeArrived();
  expect(await spool.taken()).toEqual([]);
  await takeArrived();
  expect(await spool.taken()).toEqual(['a.csv']);
});

test('a file that cannot be moved does not keep the others from being taken', async () => {
  for (const name of ['a.csv', 'b.csv']) await put(name);
  await takeArrived();
  failNextMove();
  const failures: string[] = [];
  await spool.takeArrived((name, error) => failures.push(`${name}: ${error}`));
  expect(failures).toEqual([
    expect.stringMatching(/^a\.csv: .*a\.csv cannot be moved to .*\.importing \(EBUSY\)\.$/),
  ]);
  expect(await spool.taken()).toEqual(['b.csv']);
  await takeArrived();
  expect([...(await spool.taken())].sort()).toEqual(['a.csv', 'b.csv']);
});

test('a file that cannot be moved to the refused ones leaves no text with reasons', async () => {
  await put('a.csv');
  await takeAll();
  failNextMove();
  await expect(spool.refuse('a.csv', 'why')).rejects.toThrow('cannot be moved');
  expect(await readdir(join(home, 'refused'))).toEqual([]);
  await spool.refuse('a.csv', 'why');
  expect((await readdir(join(home, 'refused'))).sort()).toEqual(['a.csv', 'a.csv.txt']);
});

test('the text with reasons has no colours of a terminal', async () => {
  await put('a.csv');
  await takeAll();
  await spool.refuse('a.csv', '\u{1b}[31mNothing was imported\u{1b}[39m');
  expect(await readFile(join(home, 'refused/a.csv.txt'), 'utf8')).toBe('Nothing was imported\n');
});

test('a text with reasons for which the disk has no space is not left empty', async () => {
  await put('a.csv');
  await takeAll();
  const full = Object.assign(new Error(), { code: 'ENOSPC' });
  const handle = await fs.open(join(home, 'probe.tmp'), 'w');
  await handle.close();
  const write = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValueOnce(full);
  onTestFinished(() => write.mockRestore());
  await expect(spool.refuse('a.csv', 'why')).rejects.toThrow('is full');
  expect(await readdir(join(home, 'refused'))).toEqual([]);
  await spool.refuse('a.csv', 'why');
  expect((await readdir(join(home, 'refused'))).sort()).toEqual(['a.csv', 'a.csv.txt']);
});

test('unfinished files, links and folders are not taken', async () => {
  for (const name of ['.hidden', 'a.csv.part', 'b.tmp', 'c.csv~']) await put(name);
  await mkdir(join(home, 'folder'));
  await symlink('/etc/hostname', join(home, 'link.csv'));
  expect(await takeAll()).toEqual([]);
  expect((await lstat(join(home, 'link.csv'))).isSymbolicLink()).toBe(true);
});

test('a new file with the name of a taken one is taken separately', async () => {
  await put('a.csv', 'first');
  expect(await takeAll()).toEqual(['a.csv']);
  const before = await spool.stateOf('a.csv');
  await put('a.csv', 'second');
  expect(await spool.stateOf('a.csv')).toBe(before);
  await spool.accept('a.csv');
  expect(await takeAll()).toEqual(['a.csv']);
  expect(await readFile(spool.pathOf('a.csv'), 'utf8')).toBe('second');
});

test('files that wait are imported in the order in which they arrived', async () => {
  const arrive = async (name: string, text: string) => {
    await put(name, text);
    // The system may record the times of moves in steps of 10 ms.
    await sleep(10);
    return await takeAll();
  };
  await arrive('sales.csv', 'first');
  await arrive('sales.csv', 'second');
  await arrive('sales.csv', 'third');
  await arrive('a.csv', 'fourth');
  await spool.accept('sales.csv');
  const names = await arrive('sales.csv', 'fifth');
  const texts = names.map(async (name) => await readFile(spool.pathOf(name), 'utf8'));
  expect(await Promise.all(texts)).toEqual(['second', 'third', 'fourth', 'fifth']);
});

test('a write after a file was taken changes the state of the file', async () => {
  await put('a.csv', 'first');
  await takeAll();
  const before = await spool.stateOf('a.csv');
  await writeFile(spool.pathOf('a.csv'), 'more', { flag: 'a' });
  expect(await spool.stateOf('a.csv')).not.toBe(before);
});

test('neither a refused file nor the text with its reason replaces another file', async () => {
  for (const name of ['a.csv', 'a.csv.txt']) await put(name);
  await takeAll();
  await spool.refuse('a.csv.txt', 'reason of the text');
  await spool.refuse('a.csv', 'reason of the file');
  expect((await readdir(join(home, 'refused'))).sort()).toEqual([
    ...['a-2.csv', 'a-2.csv.txt'],
    ...['a.csv.txt', 'a.csv.txt.txt'],
  ]);
  expect(await readFile(join(home, 'refused/a.csv.txt'), 'utf8')).toBe('a.csv.txt');
});

test('a folder that is a link is refused, and nothing is written through it', async () => {
  const elsewhere = join(home, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, join(home, 'refused'));
  await put('a.csv');
  await takeAll();
  await expect(spool.refuse('a.csv', 'wrong')).rejects.toThrow('is not a directory of this user');
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await spool.taken()).toEqual(['a.csv']);
});

test('a taken file that is no regular file has no state', async () => {
  await put('a.csv');
  await takeAll();
  await rm(spool.pathOf('a.csv'));
  await symlink('/etc/hostname', spool.pathOf('a.csv'));
  expect(await spool.stateOf('a.csv')).toBeUndefined();
});

test('a long name is shortened between two characters, so that a number and the text of reasons fit', async () => {
  for (const name of [
    `${'a'.repeat(251)}.csv`,
    `${'é'.repeat(125)}a.csv`,
    `a.${'b'.repeat(253)}`,
  ]) {
    for (const isAccepted of [true, true, false, false]) {
      await put(name);
      const [taken = ''] = await takeAll();
      if (isAccepted) await spool.accept(taken);
      else await spool.refuse(taken, 'wrong');
    }
  }
  expect(await spool.taken()).toEqual([]);
  const imported = await readdir(join(home, 'imported'));
  const refused = await readdir(join(home, 'refused'));
  expect(imported.length).toBe(6);
  expect(refused.filter((name) => refused.includes(`${name}.txt`)).length).toBe(6);
  expect(imported.filter((name) => name.endsWith('.csv')).length).toBe(4);
  expect([...imported, ...refused].join('')).not.toContain('\uFFFD');
});
