import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { visibleCounts } from '../support/databases/visible-counts.ts';
import {
  outcomeOf,
  runCommand,
  type ServingCommand,
  startCommand,
  startServing,
} from '../support/programs/command.ts';
import { writeBigFile } from '../support/rows/big-file.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

/** So many that an import of them is interrupted before its end. */
const BIG_ROWS = fullOrShort(400_000, 200_000);

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-interrupted-'));
  await writeBigFile(join(home, 'big.csv'), BIG_ROWS);
  await writeBigFile(join(home, 'small.csv'), 10);
  for (const name of ['alone', 'aborted']) await newDatabase(join(home, name), 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const database = (name: string) => ['--database', `chdb:${join(home, name)}`];

const NOTHING = { admin: 0, affiliate: 0, left: [] };

async function seenIn(name: string) {
  const opened = await openDatabase({ url: `chdb:${join(home, name)}`, timeZone: undefined });
  try {
    return await visibleCounts(opened.engine);
  } finally {
    await opened.engine.close();
  }
}

/** How many imports are at work in a database's directory. */
const importsIn = async (name: string) =>
  (await readdir(join(home, name, 'incoming')).catch(() => [])).length;

/** Starts an import of the big file, and waits until it is at work. */
async function startImport(name: string) {
  const child = startCommand(['import', 'big.csv', ...database(name)], {
    directory: home,
    environment: { TIMEZONE: 'UTC' },
  });
  const ended = outcomeOf(child);
  while ((await importsIn(name)) === 0) await sleep(10);
  await sleep(150);
  return { child, ended };
}

/** Whether `check` reports a failed import. */
async function isFailureReported(name: string): Promise<boolean> {
  const { code, output } = await runCommand(['check', ...database(name)], { directory: home });
  expect(code).toBe(0);
  return /The import that ended at \S+Z failed, and no later import has succeeded\./.test(output);
}

const INTERRUPTED = {
  code: 1,
  output: '',
  errors: 'error: Interrupted: nothing was imported.\nRun the same command again.\n',
};

test.each(everyNth(['SIGINT', 'SIGTERM'] as const, 2, 1))(
  'an import that receives %s leaves nothing',
  async (signal) => {
    const { child, ended } = await startImport('alone');
    child.kill(signal);
    expect(await ended).toEqual(INTERRUPTED);
    expect(await importsIn('alone')).toBe(0);
    expect(await seenIn('alone')).toEqual(NOTHING);
    expect(await isFailureReported('alone')).toBe(false);
  },
);

// Only in the full run. In `npm test`, the next test interrupts imports through a server and imports after them.
test.runIf(IS_FULL)(
  'an import through a server that is interrupted leaves nothing, and the next one succeeds',
  async () => {
    const server = await startServing(['serve', '--port', '0', ...database('served')], {
      directory: home,
    });
    const { child, ended } = await startImport('served');
    child.kill('SIGINT');
    expect(await ended).toEqual(INTERRUPTED);
    expect(await importsIn('served')).toBe(0);
    const next = await runCommand(['import', 'small.csv', ...database('served')], {
      directory: home,
    });
    expect(next.output).toContain('Imported 10 rows');
    expect((await server.stop()).code).toBe(0);
    expect(await seenIn('served')).toEqual({ admin: 10, affiliate: 10, left: [] });
  },
);

const smallImport = () => ({
  files: [{ path: join(home, 'small.csv'), name: 'small.csv' }],
  round: false,
  rejects: false,
});

describe('through a server', () => {
  /** Like a command, but in this process. */
  const importSmall = async () =>
    await new RemoteOperator(join(home, 'aborted')).importFiles(smallImport(), {});

  let server: ServingCommand;

  beforeAll(async () => {
    server = await startServing(['serve', '--port', '0', ...database('aborted')], {
      directory: home,
    });
  });

  test('check reports an import whose command was killed until another one succeeds, and never an interrupted one', async () => {
    const importUntil = async (signal: NodeJS.Signals) => {
      const { child, ended } = await startImport('aborted');
      child.kill(signal);
      await ended;
    };
    const isReported = async () => await isFailureReported('aborted');
    await importUntil('SIGINT');
    expect(await isReported()).toBe(false);
    await importUntil('SIGKILL');
    await expect.poll(isReported, { timeout: 30_000 }).toBe(true);
    // Only in the full run. In `npm test`, SIGTERM interrupts the import of the first test.
    if (IS_FULL) {
      await importUntil('SIGTERM');
      expect(await isReported()).toBe(true);
    }
    await importSmall();
    expect(await isReported()).toBe(false);
  });

  test('simultaneous imports run one after the other', async () => {
    let most = 0;
    const watch = setInterval(async () => {
      most = Math.max(most, await importsIn('aborted'));
    }, 5);
    const reports = await Promise.all(Array.from({ length: fullOrShort(4, 2) }, importSmall));
    clearInterval(watch);
    expect(new Set(reports.map(({ imported }) => imported))).toEqual(new Set([10]));
    expect(most).toBe(1);
  });

  test('a server that is stopped aborts its import, and the command reports it', async () => {
    await importSmall();
    const { ended } = await startImport('aborted');
    expect((await server.stop()).code).toBe(0);
    const { code, errors } = await ended;
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('The server was stopped: nothing was imported.'),
    ]);
    expect(await seenIn('aborted')).toEqual({ admin: 10, affiliate: 10, left: [] });
  });
});

// Only in the full run. In `npm test`, a test above checks that imports wait for each other.
test.runIf(IS_FULL)(
  'an import that waits for another can be interrupted at once without affecting it',
  async () => {
    const server = await startServing(['serve', '--port', '0', ...database('queue')], {
      directory: home,
    });
    const first = await startImport('queue');
    const leaving = new AbortController();
    const second = new RemoteOperator(join(home, 'queue')).importFiles(smallImport(), {
      signal: leaving.signal,
    });
    setTimeout(() => leaving.abort(new Error('Enough of waiting.')), 200);
    await expect(second).rejects.toThrow('Enough of waiting.');
    expect(await importsIn('queue')).toBe(1);
    expect((await first.ended).output).toContain(`Imported ${BIG_ROWS.toLocaleString('en')} rows`);
    await server.stop();
    expect(await seenIn('queue')).toEqual({ admin: BIG_ROWS, affiliate: BIG_ROWS, left: [] });
  },
);
