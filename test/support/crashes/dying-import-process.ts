/**
 * A process that imports a file and kills itself after a given statement, to simulate a crash there.
 *
 * Arguments: the database URL, the file, and the number of the statement after which it dies, from 1.
 * Statements that pause merges do not count: only an import that takes longer than a second has them.
 * If it survives, it prints how many statements it counted, and which of them, from 1, marked the import as
 * complete and which gave it a number in the change feed.
 */

import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { watchedEngine } from '../databases/watched-engine.ts';

const [url = '', path = '', number = '0'] = process.argv.slice(2);

const PAUSE = /^SYSTEM (STOP|START) MERGES (?!import_)/;

let statements = 0;
let complete = 0;
let numbered = 0;

const database = await openDatabase({ url, timeZone: undefined });
const engine = watchedEngine(database.engine, async (server, statement, watch) => {
  if (PAUSE.test(statement.text)) return await server.execute(statement, watch);
  statements += 1;
  if (statement.text.includes("'publishing'")) complete = statements;
  if (statement.text.includes("'published'")) numbered = statements;
  const isLast = statements === Number(number);
  await server.execute(statement, watch);
  if (isLast) process.kill(process.pid, 'SIGKILL');
});
const operator = new LocalOperator({ ...database, engine });
const files = [{ path, name: 'file' }];
await operator.importFiles({ files, round: false, rejects: false }, {});
await operator.close();
console.log(JSON.stringify({ statements, complete, numbered }));
