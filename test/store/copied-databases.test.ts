import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations.ts';
import { openMigratedEngine, openTestEngine, type TestEngine } from '../support/engine.ts';

const TIME_ZONE = 'Europe/Paris';

let opened: TestEngine | undefined;

afterEach(async () => await opened?.close());

/** All that the engine knows of the tables, but for where and when they were made. */
async function definitionOf(database: TestEngine) {
  opened = database;
  const tables = await database.rows(`SELECT name, engine, total_rows,
  replaceRegexpAll(create_table_query, 'UUID \\'[^\\']+\\'', '') AS definition
FROM system.tables WHERE database = currentDatabase() ORDER BY name`);
  const migrations = await database.rows('SELECT version, name FROM migrations ORDER BY version');
  await database.close();
  opened = undefined;
  return { tables, migrations };
}

test('the databases that tests copy are as new ones', async () => {
  const made = await definitionOf(await openMigratedEngine(TIME_ZONE));
  expect(made.tables.length).toBeGreaterThan(8);
  expect(await definitionOf(await openTestEngine(TIME_ZONE))).toEqual(made);
});

test('a copy shares nothing with the next one', async () => {
  opened = await openTestEngine(TIME_ZONE);
  await opened.run("INSERT INTO keys VALUES ('cursors', 'secret', 1)");
  await opened.close();
  opened = await openTestEngine(TIME_ZONE);
  expect(await opened.rows('SELECT name FROM keys')).toEqual([]);
  expect(await migrate(opened.engine, TIME_ZONE)).toEqual([]);
});
