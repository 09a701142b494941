import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { throwingAt } from '../../support/databases/throwing-statement.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { sampled } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(60_000, 16_000);

/** How the engine fails, set by each test; a wrapper around the real engine applies it. */
let failure: { readonly afterBlock: number } | { readonly atRow: number } | undefined;

let service: TestService;
let token: string;
/** The number of blocks of a whole response. */
let blocks = 0;
/** The number of blocks of the latest response so far. */
let sent = 0;

beforeAll(async () => {
  service = await startService({
    makeEmbedded: databaseWithManySales(ROWS),
    settings: { memoryCache: 0 },
    parts: (parts) => ({ ...parts, reader: failing(parts.reader) }),
  });
  token = await service.token({});
  await (await service.get(path, token)).text();
  blocks = sent;
});

afterAll(async () => await service.close());

const path = `/api/admin/transactions?${MANY_SALES}`;

function failing(reader: Reader): Reader {
  return {
    rows: (statement) => reader.rows(statement),
    async *read(statement, signal) {
      sent = 0;
      if (failure !== undefined && 'afterBlock' in failure && failure.afterBlock === 0)
        throw broken();
      for await (const block of reader.read(throwing(statement), signal)) {
        yield block;
        sent += 1;
        if (failure !== undefined && 'afterBlock' in failure && failure.afterBlock === sent) {
          throw broken();
        }
      }
    },
  };
}

const broken = (): Error => new Error('the engine broke');

const throwing = (statement: Statement): Statement =>
  failure !== undefined && 'atRow' in failure ? throwingAt(failure.atRow, statement) : statement;

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

interface Download {
  readonly exitCode: number;
  readonly status: string;
  readonly body: string;
}

/** Downloads with curl, whose exit code tells whether the response is complete. */
async function curl(...options: readonly string[]): Promise<Download> {
  const authorization = `Authorization: Bearer ${token}`;
  const write = ['-w', '%{stderr}%{http_code}'];
  const all = ['-s', ...write, '-H', authorization, ...options, service.url + path];
  const run = promisify(execFile)('curl', all, { maxBuffer: 2 ** 30 });
  return await run.then(
    ({ stdout, stderr }) => ({ exitCode: 0, status: stderr, body: stdout }),
    ({ code, stdout, stderr }) => ({ exitCode: code, status: stderr, body: stdout }),
  );
}

const CLIENTS = ['fetch', '--http1.1', '--http1.0'] as const;

const FAILURES = [
  { name: 'after its first block', failureOf: () => ({ afterBlock: 1 }) },
  { name: 'after its second block', failureOf: () => ({ afterBlock: 2 }) },
  { name: 'after its last block', failureOf: () => ({ afterBlock: blocks }) },
  { name: 'by itself in the middle', failureOf: () => ({ atRow: ROWS / 2 }) },
  { name: 'by itself at the last row', failureOf: () => ({ atRow: ROWS - 1 }) },
];

test('without a failure, every client gets all rows', async () => {
  failure = undefined;
  expect(blocks).toBeGreaterThan(3);
  for (const version of ['--http1.1', '--http1.0']) {
    const { exitCode, status, body } = await curl(version);
    expect({ exitCode, status }).toEqual({ exitCode: 0, status: '200' });
    expect(JSON.parse(body)).toHaveLength(ROWS);
  }
});

test('HEAD reads only the beginning of the response', async () => {
  failure = undefined;
  const { exitCode, status } = await curl('--head');
  expect({ exitCode, status }).toEqual({ exitCode: 0, status: '200' });
  expect(sent).toBeLessThan(2);
});

/** In `npm test`, each failure and each client occurs at least once, but not each pair. */
const FAILED = sampled(
  FAILURES.flatMap((failed) => CLIENTS.map((client) => ({ ...failed, client }))),
  ({ name }) => name,
  ({ client }) => client,
);

test.each(FAILED)(
  'an engine that fails $name makes $client fail',
  async ({ failureOf, client }) => {
    failure = failureOf();
    if (client === 'fetch') await expectFetchToReject();
    else await expectCutBody(client);
  },
);

async function expectFetchToReject(): Promise<void> {
  const logged = service.log.length;
  const response = await service.get(path, token);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(service.log.slice(logged).join('')).toContain('response cut');
}

async function expectCutBody(version: string): Promise<void> {
  const { exitCode, status, body } = await curl(version);
  expect({ failed: exitCode !== 0, status }).toEqual({ failed: true, status: '200' });
  expect(parses(body)).toBe(false);
}

const FIRST_FAILURES = [
  { name: 'before its first block', failureOf: () => ({ afterBlock: 0 }) },
  { name: 'by itself at the first row', failureOf: () => ({ atRow: 0 }) },
];

test.each(
  sampled(
    FIRST_FAILURES.flatMap((failed) => CLIENTS.slice(1).map((version) => ({ ...failed, version }))),
    ({ name }) => name,
    ({ version }) => version,
  ),
)(
  'an engine that fails $name is a problem, not a success, over $version',
  async ({ failureOf, version }) => {
    failure = failureOf();
    const { exitCode, status, body } = await curl(version);
    expect({ exitCode, status }).toEqual({ exitCode: 0, status: '500' });
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error' });
    expect(body).not.toContain('broke');
  },
);

test('after all these failures the engine is idle, and the service answers', async () => {
  failure = undefined;
  expect(await runningQueries(service.database.engine)).toEqual([]);
  expect(await (await service.get(path, token)).json()).toHaveLength(ROWS);
});
