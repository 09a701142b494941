/** The query as a curl command and as client code, without the token. */

import type { Role } from '../../../src/contract/record/records.ts';
import { type ApiQuery, clientParameters, urlParameters } from '../query/api-query.ts';
import { fieldOf } from '../query/filters.ts';

/** Quotes a text for a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const queryOf = (query: ApiQuery): string =>
  new URLSearchParams(urlParameters(query)).toString().replaceAll('%2C', ',');

export const curlOf = (base: string, role: Role, query: ApiQuery): string =>
  `curl --fail --compressed -H "Authorization: Bearer $TOKEN" \\\n  ${shellQuoted(`${base}api/${role}/transactions?${queryOf(query)}`)}`;

/** The client's types have an array for several statuses, not a comma-separated text. */
const asTyped = (query: ApiQuery): object =>
  Object.fromEntries(
    Object.entries(clientParameters(query)).map(([name, value]) =>
      fieldOf(name) === 'status' && typeof value === 'string' && value.includes(',')
        ? [name, value.split(',')]
        : [name, value],
    ),
  );

export const clientCodeOf = (base: string, role: Role, query: ApiQuery): string =>
  `import { createClient } from 'transactions-reporting-client';

const client = createClient({ baseUrl: ${JSON.stringify(base)}, token: process.env.TOKEN ?? '' });
const rows = client.${role}.transactions.list(${JSON.stringify(asTyped(query), null, 2)});
for await (const row of rows) {
  console.log(row);
}`;
