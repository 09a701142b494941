import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullOrShort, withinMs } from '../../support/run/test-extent.ts';
import {
  type ClosedDatabase,
  databaseOfManySales,
  type ServingProcess,
  startServing,
} from '../../support/servers/serving-process.ts';

const ROWS = fullOrShort(200_000, 25_000);

/** Filling the month cache would only cost time. */
const NO_CACHE = { MEMORY_CACHE: '0' };

/** A download with curl. The end of JSON over HTTP/1.0 shows only in the JSON, because there are no chunks. */
interface Download {
  readonly what: string;
  readonly options: readonly string[];
  readonly question: string;
  readonly isParsed?: true;
}

const DOWNLOADS: readonly Download[] = [
  { what: 'JSON over HTTP/1.0', options: ['--http1.0'], question: '', isParsed: true },
  { what: 'an Arrow file', options: [], question: '&format=arrow' },
  { what: 'JSON over HTTP/1.1', options: ['--http1.1'], question: '' },
  { what: 'CSV', options: [], question: '&format=csv' },
  {
    what: 'compressed NDJSON',
    options: ['-H', 'Accept-Encoding: zstd'],
    question: '&format=ndjson',
  },
];

/** In `npm test`, a stream and a file. The test with fetch uses HTTP/1.1. */
const TESTED = fullOrShort(DOWNLOADS, DOWNLOADS.slice(0, 2));

let database: ClosedDatabase;

beforeAll(async () => {
  database = await databaseOfManySales(ROWS);
});

afterAll(async () => await database.remove());

/**
 * Starts a download and reads its first bytes. Returns a function that reads the rest: until it is called, curl cannot
 * write, so it reads no more than the buffers of the connection hold.
 */
async function begin(server: ServingProcess, { options, question }: Download) {
  const authorization = ['-H', `Authorization: ${server.authorization}`];
  const target = `${server.url}${server.listPath}${question}`;
  const curl = spawn('curl', ['--silent', ...options, ...authorization, target]);
  const exit = once(curl, 'exit');
  const [first] = (await once(curl.stdout, 'data')) as [Buffer];
  curl.stdout.pause();
  return async () => {
    const rest = await curl.stdout.toArray();
    return {
      exitCode: (await exit)[0] as number,
      body: Buffer.concat([first, ...rest]).toString(),
    };
  };
}

/** Starts a download with fetch, and waits for its first bytes. Returns a function that reads the rest. */
async function beginWithFetch({ url, listPath, authorization }: ServingProcess) {
  const response = await fetch(url + listPath, { headers: { authorization } });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  return async () => {
    while ((await reader?.read())?.done === false);
  };
}

describe('a server that is killed during downloads', () => {
  let restWithFetch: () => Promise<void>;
  const ends = new Map<Download, Awaited<ReturnType<typeof begin>>>();

  beforeAll(async () => {
    const server = await startServing(database, NO_CACHE);
    try {
      await Promise.all(
        TESTED.map(async (download) => ends.set(download, await begin(server, download))),
      );
      // The last one, because the whole response would soon be in the buffers.
      restWithFetch = await beginWithFetch(server);
    } finally {
      server.kill('SIGKILL');
    }
    expect(await server.ended).toBe('SIGKILL');
  });

  test('makes fetch reject', async () => {
    await expect(restWithFetch()).rejects.toThrow('terminated');
  });

  test.each(TESTED)('leaves curl an incomplete response: $what', async (download) => {
    const { exitCode, body } = (await ends.get(download)?.()) ?? { exitCode: 0, body: '[]' };
    if (download.isParsed) expect(() => JSON.parse(body)).toThrow(SyntaxError);
    else expect(exitCode).toBeGreaterThan(0);
  });
});

test('the next server on the same database sends complete responses, and exits at once without downloads, despite open connections', async () => {
  const server = await startServing(database, NO_CACHE);
  try {
    const { authorization } = server;
    const path = `${server.listPath}&fields=transaction_id`;
    const response = await fetch(server.url + path, { headers: { authorization } });
    expect(await response.json()).toHaveLength(ROWS);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    const told = performance.now();
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - told).toBeLessThan(withinMs(3000));
  } finally {
    server.kill('SIGKILL');
    await server.ended;
  }
});
