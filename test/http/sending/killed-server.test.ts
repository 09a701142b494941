import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fullOrShort } from '../../support/run/test-extent.ts';
import {
  type ClosedDatabase,
  databaseOfManySales,
  type ServingProcess,
  startServing,
} from '../../support/servers/serving-process.ts';

const ROWS = fullOrShort(100_000, 50_000);

/** Filling the month cache would only cost time. */
const NO_CACHE = { MEMORY_CACHE: '0' };

let database: ClosedDatabase;
let server: ServingProcess;

beforeAll(async () => {
  database = await databaseOfManySales(ROWS);
});

afterEach(async () => {
  server.kill('SIGKILL');
  await server.ended;
});

afterAll(async () => await database.remove());

test('fetch rejects if the server is killed during a download', async () => {
  server = await startServing(database, NO_CACHE);
  const { authorization } = server;
  const response = await fetch(server.url + server.listPath, { headers: { authorization } });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  server.kill('SIGKILL');
  expect(await server.ended).toBe('SIGKILL');
  const rest = async () => {
    while ((await reader?.read())?.done === false);
  };
  await expect(rest()).rejects.toThrow('terminated');
});

/** In `npm test` only HTTP/1.0, because the test with fetch uses HTTP/1.1. */
const VERSIONS = fullOrShort(['--http1.1', '--http1.0'], ['--http1.0']);

test.each(VERSIONS)(
  'the body that curl %s gets from a killed server does not parse',
  async (version) => {
    server = await startServing(database, NO_CACHE);
    const authorization = `Authorization: Bearer ${database.token}`;
    const paced = [version, '--silent', '--limit-rate', '20M'];
    const curl = spawn('curl', [...paced, '-H', authorization, server.url + server.listPath]);
    const exit = once(curl, 'exit');
    const chunks: Buffer[] = [];
    for await (const chunk of curl.stdout as AsyncIterable<Buffer>) {
      if (chunks.push(chunk) === 10) server.kill('SIGKILL');
    }
    expect(await server.ended).toBe('SIGKILL');
    expect(() => JSON.parse(Buffer.concat(chunks).toString())).toThrow(SyntaxError);
    // HTTP/1.0 has no chunks, so only the missing end of the array shows that the body is cut.
    if (version === '--http1.1') expect((await exit)[0]).toBeGreaterThan(0);
  },
);

test('the next server on the same database sends complete responses', async () => {
  server = await startServing(database, NO_CACHE);
  const { authorization } = server;
  const response = await fetch(server.url + server.listPath, { headers: { authorization } });
  expect(await response.json()).toHaveLength(ROWS);
});
