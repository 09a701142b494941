/**
 * A process that imports a file and kills itself at a given statement: a crash at exactly that place.
 *
 * Arguments: the database's URL, the file, and the statement's number from 1 on, after which it dies.
 * If it survives, it prints how many statements there were, and which of them said that the import is
 * complete.
 */

import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { watchedEngine } from '../databases/watched-engine.ts';

const [url = '', path = '', number = '0'] = process.argv.slice(2);

let statements = 0;
let complete = 0;

const database = await openDatabase({ url, timeZone: undefined });
const engine = watchedEngine(database.engine, async (server, statement, watch) => {
  statements += 1;
  if (statement.text.includes("'publishing'")) complete = statements;
  const isLast = statements === Number(number);
  await server.execute(statement, watch);
  if (isLast) process.kill(process.pid, 'SIGKILL');
});
const operator = new LocalOperator({ ...database, engine });
const files = [{ path, name: 'file' }];
await operator.importFiles({ files, round: false, rejects: false }, {});
await operator.close();
console.log(JSON.stringify({ statements, complete }));
