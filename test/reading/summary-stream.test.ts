import { expect, test } from 'vitest';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { EngineFailure, type Reader } from '../../src/engine/engine.ts';
import { command } from '../../src/plan/sql.ts';
import { readSummary } from '../../src/reading/summary-stream.ts';

const never = new AbortController().signal;

/** Where what waits would be kept; here nothing has to. */
const files = new ExportFiles(undefined);

/** A reader whose answers are these, one after the other. */
const readerOf = (...answers: (() => AsyncGenerator<Uint8Array>)[]): Reader => ({
  rows: async () => [],
  read: () => answers.shift()?.() ?? failing(),
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield* [];
  throw new EngineFailure('The connection broke.');
}

async function* good(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first ');
  yield Buffer.from('second');
}

const textOf = async (reader: Reader): Promise<string> =>
  (await Array.fromAsync(readSummary(command('SELECT 1'), reader, never, files), String)).join('');

test('an engine that fails before the first block is asked again', async () => {
  expect(await textOf(readerOf(failing, failing, good))).toBe('first second');
});

test('one that fails after it is not, as the groups may be others by then', async () => {
  async function* broken() {
    // More than waits in memory, so that the first of it is given before the last is read.
    for (let blocks = 0; blocks < 10; blocks += 1) yield Buffer.alloc(1024 * 1024);
    yield* failing();
  }
  await expect(textOf(readerOf(broken, good))).rejects.toThrow('The connection broke.');
});

test('a reader that leaves after the first block stops the engine', async () => {
  let isStopped = false;
  async function* endless() {
    try {
      for (;;) yield* good();
    } finally {
      isStopped = true;
    }
  }
  for await (const _ of readSummary(command('SELECT 1'), readerOf(endless), never, files)) break;
  expect(isStopped).toBe(true);
});
