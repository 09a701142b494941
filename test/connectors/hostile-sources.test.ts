import { expect, test } from 'vitest';
import { selectQuery } from '../../src/connectors/dialect.ts';
import { MYSQL } from '../../src/connectors/mysql.ts';
import { POSTGRES } from '../../src/connectors/postgres.ts';
import type { SourceTableAddress } from '../../src/connectors/source-address.ts';
import { sourceError } from '../../src/connectors/source-error.ts';
import { EngineFailure } from '../../src/engine/engine.ts';

const address = (password: string): SourceTableAddress => ({
  kind: 'postgres',
  host: 'localhost',
  port: 5432,
  database: 'shop',
  table: 'orders',
  user: 'reader',
  password,
  name: 'postgres://localhost:5432/shop?table=orders',
});

test.each([
  ['plain', 'it is s3cret-word, they say', 's3cret-word'],
  ['where the message is cut', `${'x'.repeat(195)}s3cret-word`, 's3cret-word'],
  ['with a line break', 'FATAL: no s3cret\nword here', 's3cret\nword'],
  ['that contains DB::Exception', 'near DB::Exception: word', 's3cret DB::Exception: word'],
  ['as the engine quotes it', "near 's3cret\\'\\\\word'", "s3cret'\\word"],
] as const)('a message shows no part of a password: %s', (_, message, password) => {
  const said = sourceError(address(password), new Error(message), '/tmp').message;
  expect(said).not.toContain('s3cret');
});

test('a full disk of this machine is no fault of the source, and one of the source is', () => {
  const errorOf = (text: string) => sourceError(address(''), new EngineFailure(text), '/var/read');
  const full = 'No space left on device';
  const own = errorOf(`Code: 243. DB::Exception: Cannot write: ${full}. (NOT_ENOUGH_SPACE)`);
  expect(own.message).toContain('The disk of /var/read is full');
  expect(own.next).toContain('Make room');
  const theirs = errorOf(`Code: 1001. DB::Exception: ERROR: could not write block: ${full}`);
  expect(theirs.message).toContain(`it could not be read: could not write block: ${full}`);
});

test.each(['statement', 'lock'])(
  'a source that stops a query after a %s timeout can be reached',
  (kind) => {
    const said = `ERROR:  canceling statement due to ${kind} timeout`;
    const { message, next } = sourceError(address(''), new EngineFailure(said), '/tmp');
    expect(message).toContain(`it stopped the query: canceling statement due to ${kind} timeout`);
    expect(next).toContain('statement_timeout');
  },
);

const HOSTILE_NAMES = ['a"b', 'a`b', "a'b", 'a\\b', 'x" FROM secrets --', 'x` FROM secrets --'];

test.each(HOSTILE_NAMES)('a column called %s is quoted', (name) => {
  const column = { name, kind: 'other', type: 'text', nullable: true } as const;
  const inPostgres = selectQuery(POSTGRES, address(''), [column], undefined);
  expect(inPostgres).toBe(`SELECT "${name.replaceAll('"', '""')}"::text AS c0 FROM "orders"`);
  expect(selectQuery(MYSQL, address(''), [column], undefined)).toBe(
    `SELECT CAST(\`${name.replaceAll('`', '``')}\` AS CHAR CHARACTER SET utf8mb4) AS c0 FROM \`orders\``,
  );
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a column type called %s is treated as an unknown type',
  (type) => {
    for (const dialect of [POSTGRES, MYSQL]) {
      expect(dialect.kindOf(type)).toBe('other');
      const column = { name: 'a', kind: 'other', nullable: true } as const;
      expect(dialect.text({ ...column, type })).toBe(dialect.text({ ...column, type: 'text' }));
    }
  },
);
