/** The query as a curl command and as client code, without the token. */

import type { Role } from '../../../src/contract/record/records.ts';
import type { Question } from '../query/question.ts';

/** Quotes a text for a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const queryOf = (question: Question): string =>
  new URLSearchParams(question).toString().replaceAll('%2C', ',');

export const curlOf = (base: string, role: Role, question: Question): string =>
  `curl --fail --compressed -H "Authorization: Bearer $TOKEN" \\\n  ${shellQuoted(`${base}api/${role}/transactions?${queryOf(question)}`)}`;

/** The client's types have an array for several statuses, not a comma-separated text. */
const asTyped = (question: Question): object =>
  question.status?.includes(',') ? { ...question, status: question.status.split(',') } : question;

export const clientCodeOf = (base: string, role: Role, question: Question): string =>
  `import { createClient } from 'transactions-reporting-client';

const client = createClient({ baseUrl: ${JSON.stringify(base)}, token: process.env.TOKEN ?? '' });
const rows = client.${role}.transactions.list(${JSON.stringify(asTyped(question), null, 2)});
for await (const row of rows) {
  console.log(row);
}`;
