/**
 * A process that imports a file and kills itself after a given statement, to simulate a crash there.
 *
 * Arguments: the database URL, the file, and the number of the statement after which it dies, from 1; or a text, to
 * die right before the first statement that has it, or right after it if the text begins with `after `.
 * Statements that pause merges do not count: only an import that takes longer than a second has them.
 * If it survives, it prints how many statements it counted, and which of them, from 1, marked the import as complete.
 */

import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { watchedEngine } from '../databases/watched-engine.ts';
import { isBefore } from './is-before.ts';

const [url = '', path = '', moment = '0'] = process.argv.slice(2);

const AFTER = 'after ';
const after = moment.startsWith(AFTER) ? moment.slice(AFTER.length) : undefined;

const die = () => process.kill(process.pid, 'SIGKILL');

const PAUSE = /^SYSTEM (STOP|START) MERGES (?!import_)/;

let statements = 0;
let complete = 0;

const database = await openDatabase({ url, timeZone: undefined });
const engine = watchedEngine(database.engine, async (server, statement, watch) => {
  if (PAUSE.test(statement.text)) return await server.execute(statement, watch);
  statements += 1;
  if (isBefore(statement, moment)) die();
  if (statement.text.includes("'publishing'")) complete = statements;
  const isAfter = after !== undefined && statement.text.includes(after);
  const isLast = statements === Number(moment) || isAfter;
  await server.execute(statement, watch);
  if (isLast) die();
});
const operator = new LocalOperator({ ...database, engine });
const files = [{ path, name: 'file' }];
await operator.importFiles({ files, round: false, rejects: false }, {});
await operator.close();
console.log(JSON.stringify({ statements, complete }));
