import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLine, NO_ACTOR } from '../../src/audit/audit-line.ts';
import { AuditLog } from '../../src/audit/audit-log.ts';
import { readLines } from '../../src/audit/audit-table.ts';
import { insertLines } from '../../src/audit/writing/insert-lines.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openStore } from '../support/databases/stores.ts';
import { type StoreKind, TESTED_STORES } from '../support/databases/tested-stores.ts';
import { registerClose } from '../support/run/left-open.ts';
import { asBytes } from './lines-as-bytes.ts';

const AT = new Date('2026-01-15T10:00:00.123Z');

/** Texts that a format or a parser of statements could take for something else. */
const AWKWARD = [
  "it's; SELECT 1; --",
  '"quoted" \\ \\n \\x00 \\t',
  'tab\there\r\nand there\0',
  '{"at":"1970","id":"none","principal":"nobody"}',
  '{p1:String} {{}} %s `x` \u2028 \u{1f600} é',
  'x'.repeat(500),
  '',
];

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-audit-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** A new database, and the directory for temporary files of its lines. */
async function opened(kind: StoreKind) {
  const store = await openStore(kind, await mkdtemp(join(home, kind)), 'UTC');
  const database = await openDatabase({ url: store.url, timeZone: 'UTC' });
  const directory = database.directory && join(database.directory, 'audit-lines');
  const close = registerClose(async () => {
    await database.engine.close();
    await store.close();
  });
  return { target: { engine: database.engine, directory }, close };
}

const refusal = {
  event: 'access_refused',
  details: { route: null, status: 401, code: null },
} as const;

test.each(TESTED_STORES)(
  'every line is stored as it is, whatever its values contain, on %s',
  async (kind) => {
    const { target, close } = await opened(kind);
    const lines = AWKWARD.map((text, at) =>
      auditLine(refusal, { ...NO_ACTOR, principal: text, name: text }, AT, `line-${at}`),
    );
    const { signal } = new AbortController();
    await insertLines(target, asBytes(...lines), signal);
    // As if the statement had failed after it was executed, and were repeated.
    await insertLines(target, asBytes(...lines.slice(2)), signal);
    expect(await Array.fromAsync(readLines(target.engine, { since: 0 }))).toEqual(lines);
    for (const [at, principal] of AWKWARD.entries()) {
      const found = await Array.fromAsync(
        readLines(target.engine, { since: AT.getTime(), principal }),
      );
      expect(found).toEqual([lines[at]]);
    }
    if (target.directory !== undefined) expect(await readdir(target.directory)).toEqual([]);
    await close();
  },
);

test.each(TESTED_STORES)('halves of surrogate pairs do not keep lines back on %s', async (kind) => {
  const { target, close } = await opened(kind);
  const whole = `${'x'.repeat(498)}\u{1f600}`;
  const principals = ['\ud83d', `${'x'.repeat(499)}\u{1f600}`, 'a\ude00b', whole, '\\ud83d'];
  const lines = principals.map((principal, at) =>
    auditLine(refusal, { ...NO_ACTOR, principal, client: principal }, AT, `line-${at}`),
  );
  const { signal } = new AbortController();
  await insertLines(target, asBytes(...lines), signal);
  const stored = await Array.fromAsync(readLines(target.engine, { since: 0 }));
  expect(stored.map((line) => JSON.parse(line).principal)).toEqual([
    '\ufffd',
    `${'x'.repeat(499)}\ufffd`,
    'a\ufffdb',
    whole,
    '\\ud83d',
  ]);
  await close();
});

test('lines wait while no temporary file can be written, and are then stored or counted as lost', async () => {
  const { target, close } = await opened('embedded');
  const warnings: string[] = [];
  const directory = join(home, 'not-a-directory');
  await writeFile(directory, '');
  const log = new AuditLog({
    target: { ...target, directory },
    file: undefined,
    key: Buffer.alloc(32),
    warnings: { warn: (_, message) => void warnings.push(message) },
  });
  const { database } = log.queues;
  log.record(refusal);
  await log.flush();
  expect(database).toMatchObject({ waiting: 1, written: 0, dropped: 0 });
  expect(warnings).toEqual(['the audit log cannot be written at the moment']);
  await rm(directory);
  await log.flush();
  expect(database).toMatchObject({ waiting: 0, written: 1, dropped: 0 });
  await rm(directory, { recursive: true });
  await writeFile(directory, '');
  log.record(refusal);
  await log.close();
  expect(database).toMatchObject({ waiting: 0, written: 1, dropped: 1 });
  expect(warnings.at(-1)).toBe('lines of the audit log were lost');
  await close();
});
