import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';
import { ENDLESS } from '../../support/databases/endless-query.ts';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { timeUntil } from '../../support/databases/running-queries.ts';
import { throwingAt } from '../../support/databases/throwing-statement.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth, sampled } from '../../support/run/sampled.ts';
import { fullOrShort, withinMs } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(100_000, 25_000);
/** An Arrow file of these rows has more bytes. */
const FILE_BYTES = ROWS * 300;
const STALL_TIMEOUT = 1500;

const STREAMS = ['format=json', 'format=ndjson', 'format=csv', 'csv=excel'];
const FILES = ['format=parquet', 'format=arrow'];
const CODINGS = ['identity', 'zstd', 'br', 'gzip'];

let service: TestService;
let token: string;
let failure: { readonly atRow: number } | 'endless' | Error | undefined;
let directory: string;
/** The sockets of the service, by the port of the client. */
const accepted = new Map<number | undefined, Socket>();

beforeAll(async () => {
  service = await startService({
    makeEmbedded: databaseWithManySales(ROWS),
    settings: { memoryCache: 0 },
    parts: (parts) => {
      directory = join(tmpdir(), `outgoing-of-${process.pid}`);
      const reader = failing(parts.reader);
      return { ...parts, reader, stallTimeout: STALL_TIMEOUT, exportDirectory: directory };
    },
  });
  service.server.server.on('connection', (socket) => accepted.set(socket.remotePort, socket));
  token = await service.token({});
});

afterAll(async () => await service.close());

const failing = (reader: Reader): Reader => ({
  rows: (statement) => reader.rows(statement),
  read: (statement, signal) => {
    if (failure instanceof Error) throw failure;
    return reader.read(throwing(statement), signal);
  },
});

const throwing = (statement: Statement): Statement => {
  if (failure === 'endless') return { ...statement, ...ENDLESS };
  return typeof failure === 'object' && 'atRow' in failure
    ? throwingAt(failure.atRow, statement)
    : statement;
};

const pathOf = (question: string): string => `/api/admin/transactions?${MANY_SALES}&${question}`;

/** Downloads with curl, whose exit code tells whether the response is complete. */
async function curl(question: string, coding: string) {
  const headers = ['-H', `Authorization: Bearer ${token}`, '-H', `Accept-Encoding: ${coding}`];
  const all = ['-s', '-w', '%{stderr}%{http_code}', ...headers, service.url + pathOf(question)];
  const run = promisify(execFile)('curl', all, { maxBuffer: 2 ** 30, encoding: 'buffer' });
  return await run.then(
    ({ stdout, stderr }) => ({ isWhole: true, status: stderr.toString(), body: stdout }),
    ({ stdout, stderr }) => ({ isWhole: false, status: stderr.toString(), body: stdout }),
  );
}

const leftFiles = async () => await readdir(directory).catch(() => []);

/** Each stream in each coding, with failures at two rows. `npm test` has a sample of each stream, coding and row. */
const CUTS = sampled(
  [ROWS - 1, ROWS / 2].flatMap((atRow) =>
    STREAMS.flatMap((question) => CODINGS.map((coding) => ({ atRow, question, coding }))),
  ),
  ({ question }) => question,
  ({ coding }) => coding,
  ({ atRow }) => atRow,
);

describe.each([ROWS / 2, ROWS - 1])('with a failure at row %d', (row) => {
  beforeAll(() => {
    failure = { atRow: row };
  });

  afterAll(() => {
    failure = undefined;
  });

  // In parallel, because most of the time the service pauses between its retries.
  test.concurrent.each(CUTS.filter(({ atRow }) => atRow === row))(
    'the response of $question in $coding is cut',
    async ({ question, coding }) => {
      const { isWhole, status } = await curl(question, coding);
      expect({ isWhole, status }).toEqual({ isWhole: false, status: '200' });
    },
  );
});

const FULL_DISK = [
  'Code: 243. DB::Exception: Cannot reserve 1 MiB, not enough space. (NOT_ENOUGH_SPACE)',
  'Code: 75. DB::ErrnoException: Cannot write to file: No space left on device (CANNOT_WRITE_TO_FILE_DESCRIPTOR)',
];

describe.each(FILES)('a file of %s', (question) => {
  afterEach(() => {
    failure = undefined;
  });

  test.each(fullOrShort([0, ROWS / 2, ROWS - 1], [ROWS - 1]))(
    'is a problem after a failure at row %d',
    async (atRow) => {
      failure = { atRow };
      const { isWhole, status, body } = await curl(question, 'identity');
      expect({ isWhole, status }).toEqual({ isWhole: true, status: '500' });
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'internal_error' });
      expect(await leftFiles()).toEqual([]);
    },
  );

  // In `npm test`, each format has one of them.
  test.each(everyNth(FULL_DISK, 2, FILES.indexOf(question)))(
    'is a problem if the disk is full: %s',
    async (message) => {
      failure = new EngineFailure(message);
      const { status, body } = await curl(question, 'identity');
      expect(status).toBe('503');
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'no_room' });
    },
  );

  test('is gone from the disk after it was sent', async () => {
    const { isWhole, status } = await curl(question, 'identity');
    expect({ isWhole, status }).toEqual({ isWhole: true, status: '200' });
    expect(await leftFiles()).toEqual([]);
  });

  test('is aborted within a second when its client disconnects', async () => {
    failure = 'endless';
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const answer = fetch(service.url + pathOf(question), { headers, signal: leaving.signal });
    const { engine } = service.database;
    const isWritten = (query: string) => query.includes('INTO OUTFILE');
    expect(
      await timeUntil(engine, (queries) => queries.some(isWritten), withinMs(5000)),
    ).toBeLessThan(withinMs(5000));
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await timeUntil(engine, (queries) => queries.length === 0, withinMs(5000))).toBeLessThan(
      withinMs(1000),
    );
    await expect.poll(leftFiles).toEqual([]);
  });
});

/** Three streams and a file. In `npm test`, the uncompressed stream and the file. */
const STALLED = [
  ['format=json', 'identity'],
  ['format=csv', 'gzip'],
  ['format=json', 'zstd'],
  ['format=arrow', 'identity'],
] as const;

test.concurrent.each(sampled(STALLED, ([question]) => FILES.includes(question)))(
  'a client of %s in %s that reads nothing for too long is disconnected',
  async (question, coding) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `GET ${pathOf(question)} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await expect.poll(() => accepted.get(socket.localPort)?.destroyed).toBe(true);
    const { engine } = service.database;
    expect(await timeUntil(engine, (queries) => queries.length === 0, withinMs(2000))).toBeLessThan(
      withinMs(1000),
    );
    let bytes = 0;
    let end = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      end = Buffer.concat([end, chunk]).subarray(-7);
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    const isEnded =
      question === 'format=arrow' ? bytes > FILE_BYTES : end.toString().endsWith('0\r\n\r\n');
    expect(isEnded).toBe(false);
  },
);
