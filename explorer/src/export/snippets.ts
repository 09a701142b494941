/** The question as texts that ask it elsewhere; none of them holds the token. */

import type { Role } from '../../../src/contract/record/records.ts';
import type { Question } from '../query/question.ts';

/** Text in the words of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const queryOf = (question: Question): string =>
  new URLSearchParams(question).toString().replaceAll('%2C', ',');

export const curlOf = (base: string, role: Role, question: Question): string =>
  `curl --fail --compressed -H "Authorization: Bearer $TOKEN" \\\n  ${quoted(`${base}api/${role}/transactions?${queryOf(question)}`)}`;

/** The types of the client know each status, and no texts with several of them. */
const asTyped = (question: Question): object =>
  question.status?.includes(',') ? { ...question, status: question.status.split(',') } : question;

export const clientOf = (base: string, role: Role, question: Question): string =>
  `import { createClient } from 'transactions-reporting-client';

const client = createClient({ baseUrl: ${JSON.stringify(base)}, token: process.env.TOKEN ?? '' });
const rows = client.${role}.transactions.list(${JSON.stringify(asTyped(question), null, 2)});
for await (const row of rows) {
  console.log(row);
}`;
