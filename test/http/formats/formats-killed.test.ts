import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullOrShort } from '../../support/run/test-extent.ts';
import {
  type ClosedDatabase,
  databaseOfManySales,
  startServing,
} from '../../support/servers/serving-process.ts';

const ROWS = fullOrShort(200_000, 100_000);

/** In `npm test` one file only: killed-server.test.ts kills downloads of streams. */
const DOWNLOADS: readonly (readonly [string, string])[] = [
  ['format=arrow', 'identity'],
  ['format=csv', 'identity'],
  ['format=ndjson', 'zstd'],
];

/** Filling the month cache would only cost time. */
const NO_CACHE = { MEMORY_CACHE: '0' };

let database: ClosedDatabase;

beforeAll(async () => {
  database = await databaseOfManySales(ROWS);
});

afterAll(async () => await database.remove());

describe('a service that is killed during a download', () => {
  test.each(fullOrShort(DOWNLOADS, DOWNLOADS.slice(0, 1)))(
    'leaves a client of %s in %s an incomplete response',
    async (question, coding) => {
      const server = await startServing(database, NO_CACHE);
      try {
        const headers = [
          '-H',
          `Authorization: ${server.authorization}`,
          '-H',
          `Accept-Encoding: ${coding}`,
        ];
        const paced = ['--silent', '--limit-rate', '3M', ...headers];
        const reading = spawn('curl', [...paced, `${server.url}${server.listPath}&${question}`]);
        const exit = once(reading, 'exit');
        let chunks = 0;
        for await (const _ of reading.stdout) if (++chunks === 10) server.kill('SIGKILL');
        expect(await server.ended).toBe('SIGKILL');
        expect((await exit)[0]).toBeGreaterThan(0);
      } finally {
        server.kill('SIGKILL');
        await server.ended;
      }
    },
  );
});
