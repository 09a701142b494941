import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { blockedSubjects, blockSubject, unblockSubject } from '../../src/store/blocked-subjects.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine();
});

afterAll(async () => await database.close());

/** Reads like a replica that was just added and has no values yet. */
const newReplica = (engine: Engine): Engine =>
  new Proxy(engine, {
    get(target, name) {
      if (name === 'rows') return rows;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

const rows: Engine['rows'] = async (statement, signal) => {
  const text = statement.text.replace(' FROM keys', ' FROM (SELECT * FROM keys LIMIT 0)');
  return await database.engine.rows({ ...statement, text }, signal);
};

test('a subject is blocked again although a replica without the earlier values was asked for their number', async () => {
  const { engine } = database;
  await blockSubject(engine, 'someone', new Date());
  await unblockSubject(engine, 'someone');
  await blockSubject(newReplica(engine), 'someone', new Date());
  expect(await blockedSubjects(engine)).toMatchObject([{ subject: 'someone' }]);
});
