/** A typical service on PostgreSQL, which sends a page, or all rows either by COPY or from a stream of objects. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import QueryStream from 'pg-query-stream';
import { RECORD_FIELDS, type Role } from '../../src/contract/record/records.ts';

const LABELS = "CASE status WHEN 0 THEN 'Refusé' WHEN 1 THEN 'Validé' ELSE 'En attente' END";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });

/** The fields of a record as in the API: the named ones, or all. */
const fields = (role: Role, names: readonly string[] = []) =>
  RECORD_FIELDS[role]
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ name, field }) => {
      if (field.type === 'status_label') return `${LABELS} AS ${name}`;
      if (field.type === 'status') return `${field.name}::text AS ${name}`;
      if (field.type === 'date')
        return `to_char(${field.name}, 'YYYY-MM-DD HH24:MI:SS') AS ${name}`;
      if (field.type === 'decimal') return `trim_scale(${field.name}) AS ${name}`;
      return `${field.name} AS ${name}`;
    })
    .join(', ');

const ALL = `SELECT ${fields('admin')} FROM transactions WHERE type = 'sales' ORDER BY created_at, transaction_id`;
/** Without a limit, the last parameter is null. */
const pageOf = (role: Role, condition: string, names: readonly string[]) =>
  `SELECT ${fields(role, names)} FROM transactions
WHERE type = 'sales' AND ${condition} AND created_at >= $2 AND created_at < $3::date + 1
ORDER BY created_at, transaction_id LIMIT $4`;

const PAGES: Readonly<Record<string, { readonly role: Role; readonly condition: string }>> = {
  '/website': { role: 'affiliate', condition: 'publisher_id = $1' },
  '/program': { role: 'admin', condition: 'program_id = $1' },
  '/everything': { role: 'admin', condition: '$1::bigint IS NOT NULL' },
};

async function copy(response: ServerResponse): Promise<void> {
  const client = await pool.connect();
  try {
    const text = `COPY (SELECT row_to_json(t)::text || ',' FROM (${ALL}) t) TO STDOUT`;
    await pipeline(client.query(copyTo(text)), response);
  } finally {
    client.release();
  }
}

async function stream(response: ServerResponse): Promise<void> {
  const client = await pool.connect();
  try {
    const rows = client.query(new QueryStream(ALL, [], { batchSize: 1000 }));
    await pipeline(
      rows,
      async function* (source: AsyncIterable<unknown>) {
        for await (const row of source) yield `${JSON.stringify(row)},\n`;
      },
      response,
    );
  } finally {
    client.release();
  }
}

async function page(url: URL, response: ServerResponse): Promise<void> {
  const given = (name: string) => url.searchParams.get(name) || null;
  const { role, condition } = PAGES[url.pathname] ?? {};
  if (role === undefined || condition === undefined) throw new Error(`No page ${url.pathname}`);
  const statement = pageOf(role, condition, given('fields')?.split(',') ?? []);
  const values = [given('id'), given('first'), given('last'), given('limit')];
  const { rows } = await pool.query(statement, values);
  response.end(JSON.stringify(rows));
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const answer = { '/copy': copy, '/stream': stream }[url.pathname];
  void (answer ? answer(response) : page(url, response)).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
