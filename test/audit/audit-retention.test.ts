import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { auditLine, NO_ACTOR } from '../../src/audit/audit-line.ts';
import { readLines } from '../../src/audit/audit-table.ts';
import { openAuditLog } from '../../src/audit/open-audit-log.ts';
import { insertLines } from '../../src/audit/writing/insert-lines.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openStore } from '../support/databases/stores.ts';
import { TESTED_STORES } from '../support/databases/tested-stores.ts';
import { runCommand } from '../support/programs/command.ts';
import { registerClose } from '../support/run/left-open.ts';
import { asBytes } from './lines-as-bytes.ts';

const DAY = 86_400_000;

/** The times of the written lines, most of them at an end of a month. Each is also the id of its line. */
const WRITTEN = [
  '2025-11-30T23:59:59.999Z',
  '2025-12-01T00:00:00.000Z',
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-04-15T12:00:00.000Z',
];

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-audit-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(home, { recursive: true, force: true });
});

test.each(TESTED_STORES)(
  'expired months are deleted at the start and each day, on %s',
  async (kind) => {
    const store = await openStore(kind, home, 'UTC');
    const database = await openDatabase({ url: store.url, timeZone: 'UTC' });
    const { engine } = database;
    const close = registerClose(async () => {
      await engine.close();
      await store.close();
    });
    const details = { user: 'somebody', subject: 'subject' };
    const directory = database.directory && join(home, 'lines');
    const lines = WRITTEN.map((at) =>
      auditLine({ event: 'subject_blocked', details }, NO_ACTOR, new Date(at), at),
    );
    await insertLines({ engine, directory }, asBytes(...lines), new AbortController().signal);
    let now = new Date('2026-04-30T23:59:59Z');
    const warnings = { warn: vi.fn() };
    const settings = { auditLog: undefined, auditRetention: 3 };
    const audit = await openAuditLog(database, settings, warnings, () => now);
    const left = async () => {
      const texts = await Array.fromAsync(readLines(engine, { since: 0 }));
      const found = texts.map((text) => JSON.parse(text) as { id: string; event: string });
      return found.filter(({ event }) => event === 'subject_blocked').map(({ id }) => id);
    };
    const monthsOf = async () => {
      await audit.log.flush();
      const texts = await Array.fromAsync(readLines(engine, { since: 0, event: 'audit_expired' }));
      return texts.map(
        (text) => (JSON.parse(text) as { details: { months: string[] } }).details.months,
      );
    };
    await expect.poll(monthsOf).toEqual([['2025-11', '2025-12']]);
    expect(await left()).toEqual(WRITTEN.slice(2));
    now = new Date('2026-05-01T00:00:00Z');
    vi.advanceTimersByTime(DAY);
    await expect.poll(monthsOf).toEqual([['2025-11', '2025-12'], ['2026-01']]);
    expect(await left()).toEqual(WRITTEN.slice(3));
    expect(warnings.warn).not.toHaveBeenCalled();
    await audit.close();
    await close();
  },
);

test('a command deletes expired months only if AUDIT_RETENTION is set for it', async () => {
  vi.useRealTimers();
  const { url } = await openStore('embedded', home, 'UTC');
  const { engine } = await openDatabase({ url, timeZone: 'UTC' });
  const details = { user: 'somebody', subject: 'subject' };
  const at = new Date('2001-01-01T00:00:00Z');
  const line = auditLine({ event: 'subject_blocked', details }, NO_ACTOR, at, 'old');
  const target = { engine, directory: join(home, 'lines') };
  await insertLines(target, asBytes(line), new AbortController().signal);
  await engine.close();
  const run = async (AUDIT_RETENTION: string, ...args: string[]) => {
    const environment = { DATABASE_URL: url, AUDIT_RETENTION };
    const { code, output, errors } = await runCommand(args, { directory: home, environment });
    expect(code, errors).toBe(0);
    return output;
  };
  const kept = async () =>
    await run(
      '',
      'audit',
      '--since',
      '2001-01-01',
      '--event',
      'subject_blocked',
      '--format',
      'json',
    );
  await run('', 'token', 'list');
  expect(await kept()).toContain('subject_blocked');
  await run('13 months', 'token', 'list');
  expect(await kept()).not.toContain('subject_blocked');
});
