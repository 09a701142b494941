import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOfTable } from '../../src/backup/backup-facts.ts';
import { verifyTable } from '../../src/backup/verify-table.ts';
import { readingSettings } from '../../src/engine/clickhouse/server-settings.ts';
import { type Engine, EngineFailure } from '../../src/engine/engine.ts';
import { findMatches } from '../../src/erasure/find-matches.ts';
import { ANY_ROW, type Select, select } from '../../src/plan/select.ts';
import { plainStatement, type Statement } from '../../src/plan/sql.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';

let opened: TestEngine;

beforeAll(async () => {
  opened = await openTestEngine();
});

afterAll(async () => await opened.close());

const LIMIT = plainStatement("SELECT getSetting('max_execution_time') AS seconds");

test('a summary is limited to ten minutes, and a list has no time limit', async () => {
  const limitOf = async (more: object) =>
    await opened.engine.rows({ ...select(ANY_ROW, LIMIT), ...more });
  expect(await limitOf({ isAggregation: true })).toEqual([{ seconds: 600 }]);
  expect(await limitOf({ boundaries: { lead: '' } })).toEqual([{ seconds: 0 }]);
});

const TABLE = { table: 'transactions', target: 'transactions', copy: 'transactions' };

const FACTS = { version: '', time_zone: '', ip_addresses: '', shards: 1 };

/** The engine with another implementation of `rows`. */
const withRows = (rows: (statement: Select<unknown>) => Promise<readonly unknown[]>): Engine =>
  Object.create(opened.engine, { rows: { value: rows } });

test('backups, restores and searches of erasures have no time limit', async () => {
  const asked: Statement[] = [];
  const server = withRows(async (statement) => {
    asked.push(statement);
    return await opened.engine.rows(statement);
  });
  const digest = await digestOfTable(server, 'transactions', 'transactions');
  await verifyTable({ server, ...TABLE }, { ...FACTS, contents: { transactions: digest } });
  await findMatches(server, [{ field: 'clickid', values: ['a'] }]);
  expect(asked.length).toBeGreaterThan(5);
  for (const statement of asked) {
    const limit = { ...statement, ...select(ANY_ROW, LIMIT) };
    expect(await opened.engine.rows(limit)).toEqual([{ seconds: 0 }]);
    expect(readingSettings(statement).max_execution_time).toBe(0);
  }
});

test('a restore that reaches a time limit of the server is not taken for a damaged backup', async () => {
  const failure = new EngineFailure('Code: 159. DB::Exception: Timeout exceeded');
  const server = withRows(async (statement) => {
    if (statement.text.includes('ignore(')) throw failure;
    return await opened.engine.rows(statement);
  });
  await expect(verifyTable({ server, ...TABLE }, { ...FACTS, contents: {} })).rejects.toBe(failure);
});

test('a query that reaches its time limit fails, and the failure is not transient', async () => {
  const statement = 'SELECT count() FROM numbers(1e12) SETTINGS max_execution_time = 1';
  const failure = await opened.engine
    .execute(plainStatement(statement))
    .catch((error: unknown) => error);
  if (!(failure instanceof EngineFailure)) throw new Error('The query has no limit.');
  expect([failure.isTimeout, failure.isTransient]).toEqual([true, false]);
});
