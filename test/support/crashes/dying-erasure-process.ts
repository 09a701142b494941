/**
 * A process that erases transactions and kills itself after a given statement, to simulate a crash there.
 *
 * Arguments: the database URL, the order as JSON, and the number of the statement after which it dies,
 * from 1; or a text, to die right before the first statement that has it. If it survives, it prints how many statements it executed, and which of them, from 1, was the first
 * to mark the erasure as begun.
 */

import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { ERASURE_COMMAND } from '../../../src/erasure/selectors.ts';
import { readJson } from '../../../src/read-json.ts';
import { watchedEngine } from '../databases/watched-engine.ts';
import { isBefore } from './is-before.ts';

const [url = '', order = '', moment = '0'] = process.argv.slice(2);

let statements = 0;
let begun = 0;

const database = await openDatabase({ url, timeZone: undefined });
const engine = watchedEngine(database.engine, async (server, statement, watch) => {
  statements += 1;
  if (isBefore(statement, moment)) process.kill(process.pid, 'SIGKILL');
  if (begun === 0 && statement.text.includes("'erasing'")) begun = statements;
  const isLast = statements === Number(moment);
  await server.execute(statement, watch);
  if (isLast) process.kill(process.pid, 'SIGKILL');
});
const operator = new LocalOperator({ ...database, engine });
await operator.erase(readJson(ERASURE_COMMAND, order));
await operator.close();
console.log(JSON.stringify({ statements, begun }));
