import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClickHouseEngine } from '../../../src/engine/clickhouse/clickhouse-engine.ts';
import { ANY_ROW, select } from '../../../src/plan/select.ts';
import { bind, plainStatement, raw, sql, statementOf } from '../../../src/plan/sql.ts';
import { migrate } from '../../../src/schema/migrations.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { freePort } from '../../support/programs/free-port.ts';
import { ClickHouseServer } from '../../support/servers/clickhouse-server.ts';

const never = new AbortController().signal;

let directory: string;
let server: ClickHouseServer;
let engine: ClickHouseEngine;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clickhouse-'));
  server = await ClickHouseServer.start(join(directory, 'one'));
  // The first host is always down.
  const hosts = [`http://127.0.0.1:${await freePort()}`, server.url];
  engine = new ClickHouseEngine({ hosts, username: 'default', password: '', database: 'default' });
});

afterAll(async () => {
  await engine.close();
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const textOf = async (text: string, lead?: string) => {
  const statement = {
    ...plainStatement(text),
    ...(lead === undefined ? {} : { boundaries: { lead } }),
  };
  const blocks = await Array.fromAsync(engine.read(statement, never));
  return { blocks, text: Buffer.concat(blocks).toString() };
};

test('a migration skips a host that is down', async () => {
  expect(await migrate(engine, 'Europe/Paris')).toEqual([
    'transactions, tokens and imports',
    'records by website and by program',
    'keys, and indexes of dates',
    'faster codec of records',
    'what each role sees of IP addresses',
    'audit log',
    'erasures of persons',
    'change feed',
    'directory of names',
    'partnerships of publishers and programs',
    'tokens that manage tokens',
    'webhooks',
    'sign-in links',
    'creators of tokens',
  ]);
  expect(await migrate(engine, 'Europe/Paris')).toEqual([]);
});

test('values are bound', async () => {
  const value = 'it\'s \\ \t\n "x" é {p1:String}';
  const statement = statementOf(
    sql`SELECT ${bind('String', value)} AS text, ${bind('Array(UInt64)', [1, 2])} AS ids`,
  );
  const rows = await engine.rows(select(ANY_ROW, statement));
  expect(rows).toEqual([{ text: value, ids: [1, 2] }]);
});

test('a response arrives complete, in blocks of whole rows', async () => {
  const { blocks, text } = await textOf(
    "SELECT ',\\n', repeat('x', 700 + number % 9) FROM numbers(40000)",
    ',\n',
  );
  expect(blocks.length).toBeGreaterThan(10);
  expect(blocks.every((block) => Buffer.from(block).toString('latin1', 0, 2) === ',\n')).toBe(true);
  const expected = Array.from({ length: 40_000 }, (_, at) => `,\n${'x'.repeat(700 + (at % 9))}`);
  expect(text).toBe(expected.join(''));
});

test.each([0, 1, 70_000, 999_999])(
  'an exception after %i rows is thrown, and is not part of the bytes',
  async (row) => {
    let text = '';
    const reading = (async () => {
      const statement = plainStatement(
        `SELECT toString(throwIf(number = ${row})), '.' FROM numbers(1000000) SETTINGS max_block_size = 1000`,
      );
      for await (const block of engine.read(statement, never))
        text += Buffer.from(block).toString();
    })();
    await expect(reading).rejects.toMatchObject({ name: 'EngineFailure', number: 395 });
    expect(text).toMatch(/^(0\.)*0?$/);
  },
);

test('an abort stops the query in the engine', async () => {
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 300);
  const reading = Array.fromAsync(
    engine.read(
      plainStatement('SELECT count() FROM numbers(1e12) WHERE sipHash64(number) = 1'),
      leaving.signal,
    ),
  );
  await expect(reading).rejects.toThrow();
  await sleep(500);
  const queries = await runningQueries(engine);
  expect(queries.filter((query) => query.includes('sipHash64'))).toEqual([]);
});

test('an abort stops a query that has started to respond', async () => {
  const leaving = new AbortController();
  const reading = (async () => {
    const text =
      "SELECT 'begun' UNION ALL SELECT toString(count()) FROM numbers(1e12) WHERE sipHash64(number) = 2";
    await Array.fromAsync(engine.read(plainStatement(text), leaving.signal));
  })();
  setTimeout(() => leaving.abort(), 500);
  await expect(reading).rejects.toThrow();
  await sleep(500);
  const queries = await runningQueries(engine);
  expect(queries.filter((query) => query.includes('sipHash64'))).toEqual([]);
});

test('leaving the loop stops the query in the engine', async () => {
  const statement = statementOf(raw("SELECT repeat('x', 1000) FROM numbers(1e10)"));
  for await (const _ of engine.read(statement, never)) break;
  await sleep(300);
  const queries = await runningQueries(engine);
  expect(queries.filter((query) => query.includes('repeat('))).toEqual([]);
});

test('a host that is up again is used', async () => {
  const port = Number(new URL(server.url).port);
  await server.kill();
  await expect(engine.rows(select(ANY_ROW, plainStatement('SELECT 1')))).rejects.toMatchObject({
    isTransient: true,
  });
  server = await ClickHouseServer.start(join(directory, 'one'), port);
  expect(await engine.rows(select(ANY_ROW, plainStatement('SELECT 1 AS one')))).toEqual([
    { one: 1 },
  ]);
});
