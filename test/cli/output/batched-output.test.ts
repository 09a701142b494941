import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../support/run/small-disk.ts';

const LOGGER = new URL('../../../src/cli/output/create-logger.ts', import.meta.url).href;

/** 20 MB of lines, more than the 16 MiB that may wait. */
const TOO_MANY = 20_000;
/** 500 kB of lines, more than a pipe holds. */
const MANY = 500;

/** For each number that it reads, logs that many lines of a thousand characters. Closes the log at the end. */
const PROGRAM = `
const { createInterface } = await import('node:readline');
const { createLogger } = await import(${JSON.stringify(LOGGER)});
const { logger, close } = createLogger('info');
for await (const line of createInterface({ input: process.stdin })) {
  for (let at = 0; at < Number(line); at += 1) logger.info({ text: 'x'.repeat(1000) }, 'a line');
  process.stderr.write('logged');
}
await close();
process.exit();
`;

let disk: SmallDisk | undefined;

afterEach(async () => await disk?.unmount());

const start = (stdout: 'pipe' | number = 'pipe'): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['pipe', stdout, 'pipe'],
  });

/** Resolves when the lines are handed to the log. */
async function log(program: ChildProcess, lines: number): Promise<void> {
  program.stdin?.write(`${lines}\n`);
  if (program.stderr !== null) await once(program.stderr, 'data');
}

/** The lines of a program. The array grows as the program writes. */
function linesOf({ stdout }: ChildProcess): string[] {
  const lines: string[] = [];
  let rest = '';
  stdout?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}

const omittedIn = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + (JSON.parse(line).omitted ?? 0), 0);

test('lines that nobody reads are dropped, and their number is logged after the others', async () => {
  const program = start();
  await log(program, TOO_MANY);
  const lines = linesOf(program);
  await expect.poll(() => lines.at(-1)?.includes('"omitted"')).toBe(true);
  expect(lines.length - 1 + omittedIn(lines)).toBe(TOO_MANY);
  program.stdin?.end();
  await once(program, 'exit');
});

/** Numbers of further lines. A batch has about fifteen, so one of these numbers leaves few after the last batch. */
const FURTHER = [1, 6, 11];

test('the last lines are written soon, also if they were logged while the reader was slow', async () => {
  const written = FURTHER.map(async (further) => {
    const program = start();
    await log(program, MANY);
    await log(program, further);
    // The last batch becomes due in this time, while an earlier one still waits for a reader.
    await delay(300);
    const lines = linesOf(program);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(MANY + further);
    program.stdin?.end();
    await once(program, 'exit');
  });
  await Promise.all(written);
});

test.each([1, MANY])(
  'the last %d lines are written at the end, although the reader is slow',
  async (count) => {
    const program = start();
    await log(program, count);
    program.stdin?.end();
    await delay(300);
    const written = program.stdout === null ? '' : await text(program.stdout);
    expect(written.trim().split('\n')).toHaveLength(count);
  },
);

test('a process whose log nobody reads exits normally', async () => {
  const program = start();
  await log(program, MANY);
  program.stdin?.end();
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('a process whose log reader is gone keeps running and exits normally', async () => {
  const program = start();
  await log(program, 1);
  program.stdout?.destroy();
  await log(program, MANY);
  await delay(300);
  await log(program, MANY);
  program.stdin?.end();
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('a full disk does not end the process: lines are written when there is room again', async (context) => {
  disk = await mountSmallDisk(4);
  if (disk === undefined) return context.skip('Mounting is not allowed.');
  const path = join(disk.path, 'log');
  const file = await open(path, 'a');
  const program = start(file.fd);
  await disk.fill();
  await log(program, MANY);
  await delay(300);
  await disk.empty();
  const read = async () => (await text((await open(path)).createReadStream())).split('\n').length;
  await expect.poll(read).toBe(MANY + 1);
  program.stdin?.end();
  expect(await once(program, 'exit')).toEqual([0, null]);
  await file.close();
});
