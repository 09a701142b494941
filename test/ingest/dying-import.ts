/**
 * A process that imports a file and kills itself at a given statement: a crash at exactly that place.
 *
 * Arguments: the database's directory, the file, and the statement's number from 1 on, after which it
 * dies. It prints how many statements there were if it survives.
 */

import { openDatabase } from '../../src/operator/database.ts';
import { LocalOperator } from '../../src/operator/local-operator.ts';
import { watchedEngine } from '../support/watched-engine.ts';

const [directory = '', path = '', number = '0'] = process.argv.slice(2);

let statements = 0;

const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
const engine = watchedEngine(database.engine, async (statement, watch) => {
  statements += 1;
  const isLast = statements === Number(number);
  await database.engine.execute(statement, watch);
  if (isLast) process.kill(process.pid, 'SIGKILL');
});
const operator = new LocalOperator({ ...database, engine });
const files = [{ path, name: 'file' }];
await operator.importFiles({ files, round: false, rejects: false }, {});
await operator.close();
console.log(statements);
