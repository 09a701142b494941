import { expect, test } from 'vitest';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { EngineFailure, type Reader } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { readSummary } from '../../src/reading/summary-stream.ts';

const never = new AbortController().signal;

/** The files of the spool, which are not needed here. */
const files = new ExportFiles(undefined);

/** A reader that returns these responses in turn. */
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
  (
    await Array.fromAsync(readSummary(plainStatement('SELECT 1'), reader, never, files), String)
  ).join('');

test('a failure before the first block is retried', async () => {
  expect(await textOf(readerOf(failing, failing, good))).toBe('first second');
});

test('a failure after the first block is not retried, as the groups may have changed', async () => {
  async function* broken() {
    // More than the spool keeps in memory, so the first block comes before the last is read.
    for (let blocks = 0; blocks < 10; blocks += 1) yield Buffer.alloc(1024 * 1024);
    yield* failing();
  }
  await expect(textOf(readerOf(broken, good))).rejects.toThrow('The connection broke.');
});

test('a consumer that leaves after the first block stops the engine', async () => {
  let isStopped = false;
  async function* endless() {
    try {
      for (;;) yield* good();
    } finally {
      isStopped = true;
    }
  }
  for await (const _ of readSummary(plainStatement('SELECT 1'), readerOf(endless), never, files))
    break;
  expect(isStopped).toBe(true);
});
