/** Replaces `duckdb -c SQL` for the commands of the documentation; prints the last result as JSON lines. */

import { DuckDBInstance } from '@duckdb/node-api';

const [flag, sql] = process.argv.slice(2);
if (flag !== '-c' || sql === undefined) throw new Error('Usage: duckdb -c SQL');
const connection = await (await DuckDBInstance.create()).connect();
const answer = await connection.runAndReadAll(sql);
for (const row of answer.getRowObjectsJson()) console.log(JSON.stringify(row));
