import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_URL_LENGTH } from '../../src/contract/problems/problems.ts';
import { LIST_PARAMETERS } from '../../src/contract/query/parameters.ts';
import { MANY_SALES } from '../support/databases/inserted/many-sales.ts';
import { outcomeOf, type ServingCommand, startServing } from '../support/programs/command.ts';
import { missingOf, skipped } from '../support/programs/programs.ts';
import { sampled } from '../support/run/sampled.ts';
import { type Nginx, startNginx } from '../support/servers/nginx.ts';
import { type ClosedDatabase, databaseOfManySales } from '../support/servers/serving-process.ts';

/** More rows than the buffers between the service and a reader hold, even compressed. */
const ROWS = 200_000;

const LIST = `/api/admin/transactions?${MANY_SALES}`;

const CURSOR_LENGTH = LIST_PARAMETERS.cursor.example.length;

const PAGE = new URL('../../docs/how-to/run-behind-nginx.md', import.meta.url);
const CONFIGURATION = new URL('../../docs/deployment/nginx.conf', import.meta.url);

const DOWNLOADS = [
  ['json', 'identity'],
  ['json', 'gzip'],
  ['ndjson', 'identity'],
  ['ndjson', 'zstd'],
  ['csv', 'identity'],
  ['csv', 'br'],
] as const;

type Download = (typeof DOWNLOADS)[number];

const isCompressed = ([, coding]: Download) => coding !== 'identity';

test('the page shows the configuration that the tests use', async () => {
  const shown = /```nginx\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8'))?.[1];
  expect(shown).toBe(await readFile(CONFIGURATION, 'utf8'));
});

const missing = missingOf('nginx');

describe.skipIf(missing.length > 0)(`nginx as documented${skipped(missing)}`, () => {
  let database: ClosedDatabase;
  let server: ServingCommand;
  let nginx: Nginx;
  let isServing = false;

  beforeAll(async () => {
    database = await databaseOfManySales(ROWS);
  });

  const stop = async () => {
    if (!isServing) return;
    isServing = false;
    server.child.kill('SIGKILL');
    await server.ended;
    await nginx.stop();
  };

  const start = async () => {
    if (isServing) return;
    server = await startServing(['serve', '--port', '0', '--database', database.url], {
      directory: tmpdir(),
      environment: { TRUSTED_PROXIES: '127.0.0.1', MEMORY_CACHE: '0' },
    });
    nginx = await startNginx(server.url);
    isServing = true;
  };

  beforeEach(start);

  afterAll(async () => {
    await stop();
    await database.remove();
  });

  const curl = (path: string, ...args: readonly string[]) =>
    spawn('curl', [
      ...['--silent', '--cacert', nginx.certificate],
      ...['-H', `Authorization: Bearer ${database.token}`],
      ...args,
      nginx.url + path,
    ]);

  describe('in front of a service that keeps running', () => {
    test('a download that is not cut is complete', async () => {
      const { code, output } = await outcomeOf(curl(`${LIST}&fields=transaction_id`));
      expect([code, JSON.parse(output).length]).toEqual([0, ROWS]);
    });

    test('the longest URL and its link to the next page fit', async () => {
      const question = `${LIST}&fields=transaction_id&limit=1&status=0`;
      const rest = MAX_URL_LENGTH - '&cursor='.length - CURSOR_LENGTH - question.length;
      // Links pack lists of identifiers, but not of statuses, so this link is as long as the requested URL.
      const statuses = Array.from({ length: Math.floor(rest / 2) }, (_, at) => `,${at % 3}`);
      const { output } = await outcomeOf(curl(question + statuses.join(''), '--include'));
      expect(output).toContain('HTTP/1.1 200 OK');
      expect(/^link: <(.*)>/im.exec(output)?.[1]?.length).toBeGreaterThan(MAX_URL_LENGTH - 8);
    });

    test('the log has the address of the client, which the client cannot choose', async () => {
      const id = randomUUID();
      const given = ['-H', 'X-Forwarded-For: 203.0.113.7', '-H', `X-Request-Id: ${id}`];
      // curl uses another address than nginx, because the service trusts that of nginx as a proxy.
      const { code } = await outcomeOf(curl('/health/live', '--interface', '127.0.0.2', ...given));
      expect(code).toBe(0);
      const line = await vi.waitUntil(() => server.log.find((text) => text.includes(id)));
      expect(JSON.parse(line)).toMatchObject({ client: '127.0.0.2' });
    });

    test('an address that sends too many requests at once gets 429', async () => {
      const many = ['--parallel', '--output', '/dev/null', '--write-out', '%{http_code} '];
      // Another address than that of the other tests, so that these requests do not use up their limit.
      const { output } = await outcomeOf(
        curl('/health/live?[1-600]', '--interface', '127.0.0.3', ...many),
      );
      const statuses = output.trim().split(' ');
      expect(new Set(statuses)).toEqual(new Set(['200', '429']));
      expect(statuses.filter((status) => status === '200').length).toBeGreaterThanOrEqual(200);
    });
  });

  // `npm test` has one format, with and without compression: nginx treats all formats alike.
  describe('in front of a service that is killed', () => {
    afterEach(stop);

    test.each(sampled(DOWNLOADS, isCompressed))(
      'curl fails if the service is killed while it sends %s in %s',
      async (format, coding) => {
        const paced = ['--limit-rate', '2M', '-H', `Accept-Encoding: ${coding}`];
        const reading = curl(`${LIST}&format=${format}`, ...paced);
        const exit = once(reading, 'exit');
        let size = 0;
        for await (const chunk of reading.stdout as AsyncIterable<Buffer>) {
          if (size === 0) server.child.kill('SIGKILL');
          size += chunk.length;
        }
        expect((await server.ended).code).toBe('SIGKILL');
        expect(size).toBeGreaterThan(0);
        expect((await exit)[0]).toBeGreaterThan(0);
      },
    );
  });
});
