/**
 * A process that imports a file and kills itself at a given statement: a crash at exactly that place.
 *
 * Arguments: the database's directory, the file, the statement's number from 1 on, and whether it
 * dies `before` or `after` it. It prints how many statements there were if it survives.
 */

import { LocalOperator } from '../../src/operator/local-operator.ts';
import { openDatabase } from '../../src/operator/database.ts';
import type { Engine } from '../../src/store/engine.ts';

const [directory = '', path = '', number = '0', moment] = process.argv.slice(2);

const die = () => process.kill(process.pid, 'SIGKILL');

let statements = 0;

const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
const engine: Engine = {
  read: (statement, signal) => database.engine.read(statement, signal),
  rows: async (statement) => await database.engine.rows(statement),
  unobserved: async (change) => await database.engine.unobserved(change),
  close: async () => await database.engine.close(),
  async execute(statement, watch) {
    statements += 1;
    const isLast = statements === Number(number);
    if (isLast && moment === 'before') die();
    await database.engine.execute(statement, watch);
    if (isLast) die();
  },
};
const operator = new LocalOperator({ ...database, engine });
const files = [{ path, name: 'file' }];
await operator.importFiles({ files, round: false, rejects: false }, {});
await operator.close();
console.log(statements);
