import { spawn } from 'node:child_process';
import { type FileHandle, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { RecordBatchReader } from 'apache-arrow';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { outcomeOf } from '../../support/programs/command.ts';
import { lineOf } from '../../support/requests/audit-lines.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(20_000, 14_000);
const JANUARY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const STRONG = /^"[\w-]{22}\.[\w-]{22}"$/;

const pathOf = (format: string, period = MANY_SALES, role = 'admin') =>
  `/api/${role}/transactions?${period}&format=${format}`;

describe.each(TESTED_STORES)('on the store %s', (store) => {
  /**
   * Whether a file keeps its whole tag. On a cluster, a server may be too slow to report the version of its rows. A
   * file is then written again, with the same bytes and another version in its tag.
   */
  const isExact = store !== 'cluster';

  /** The part of a tag that is equal for equal bytes. */
  const bytesIn = (tag: string | null) => (isExact ? tag : tag?.split('.')[1]);

  let service: TestService;
  let admin: string;
  /** The number of files that the engine has written. */
  let written = 0;
  /** Called once, when the engine has written the next file. */
  let afterFile: (() => Promise<unknown>) | undefined;

  const counting = (reader: Reader): Reader => ({
    servers: reader.servers,
    get versions() {
      return reader.versions;
    },
    rows: (...asked) => reader.rows(...asked),
    async *read(statement, signal) {
      yield* reader.read(statement, signal);
      if (statement.file === undefined) return;
      written += 1;
      const next = afterFile;
      afterFile = undefined;
      await next?.();
    },
  });

  beforeAll(async () => {
    service = await startService({
      store,
      parts: (parts) => ({ ...parts, reader: counting(parts.reader) }),
    });
    admin = await service.token({});
    await insertManySales(service.database.engine, ROWS);
    const rows = [1, 2, 3].map((at) =>
      fileRow({ transaction_id: ROWS + at, created_at: '2026-01-10 12:00:00', clickid: `c${at}` }),
    );
    await insertRows(service.database, rows);
  });

  afterAll(async () => await service.close());

  const get = async (path: string, headers: Record<string, string> = {}, token = admin) =>
    await service.get(path, token, headers);

  async function head(path: string, token = admin) {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(service.url + path, { method: 'HEAD', headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    const tag = response.headers.get('etag') ?? '';
    expect(tag).toMatch(STRONG);
    return { tag, length: Number(response.headers.get('content-length')), response };
  }

  async function bytesOf(path: string, headers: Record<string, string> = {}, token = admin) {
    const response = await get(path, headers, token);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    return { status: response.status, bytes, headers: response.headers };
  }

  const part = async (path: string, range: string, more: Record<string, string> = {}) =>
    await bytesOf(path, { range: `bytes=${range}`, ...more });

  describe.each(['parquet', 'arrow'])('as %s', (format) => {
    const path = pathOf(format);

    test('HEAD has the length of the file, and its parts are those of the whole', async () => {
      const before = written;
      const { length, tag } = await head(path);
      const whole = await bytesOf(path);
      expect([whole.status, whole.bytes.length]).toEqual([200, length]);
      expect(bytesIn(whole.headers.get('etag'))).toBe(bytesIn(tag));
      for (const [range, first, end] of [
        ['0-0', 0, 1],
        ['0-1023', 0, 1024],
        [`${length - 8}-`, length - 8, length],
        ['-8', length - 8, length],
        [`100-${length + 100}`, 100, length],
      ] as const) {
        const { status, bytes, headers } = await part(path, range);
        const contentRange = `bytes ${first}-${end - 1}/${length}`;
        expect([status, headers.get('content-range')]).toEqual([206, contentRange]);
        expect(bytesIn(headers.get('etag'))).toBe(bytesIn(tag));
        expect(bytes.equals(whole.bytes.subarray(first, end))).toBe(true);
      }
      if (isExact) expect(written).toBe(before + 1);
    });

    test('a part beyond the end is 416 with the length', async () => {
      const { length } = await head(path);
      const response = await get(path, { range: `bytes=${length}-` });
      expect([response.status, response.headers.get('content-range')]).toEqual([
        416,
        `bytes */${length}`,
      ]);
      expect(await response.json()).toMatchObject({ code: 'range_not_satisfiable' });
    });

    test('several ranges, another unit and another tag in If-Range get the whole file', async () => {
      const { length, tag } = await head(path);
      for (const headers of [
        { range: 'bytes=0-1,4-5' },
        { range: 'rows=0-1' },
        { range: 'bytes=0-1', 'if-range': '"other"' },
        { range: 'bytes=0-1', 'if-range': `W/${tag}` },
        { range: 'bytes=0-1', 'if-range': new Date().toUTCString() },
      ]) {
        const { status, bytes } = await bytesOf(path, headers);
        expect([status, bytes.length]).toEqual([200, length]);
      }
      const gone = await get(path, { range: 'bytes=0-1', 'if-match': `"other", W/${tag}` });
      expect(await gone.json()).toMatchObject({ status: 412, code: 'precondition_failed' });
      expect((await part(path, '0-1', { 'if-match': `"other", ${tag}` })).bytes).toHaveLength(2);
      const both = async (ifMatch: string) =>
        (await get(path, { 'if-match': ifMatch, 'if-none-match': tag })).status;
      expect([await both('"other"'), await both(tag), await both('*')]).toEqual([412, 200, 304]);
      expect((await part(path, '0-1', { 'if-range': tag })).bytes).toHaveLength(2);
    });

    test('40 parts that are requested at once make up the file', async () => {
      const { length } = await head(path);
      const size = Math.ceil(length / 40);
      const parts = await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const { status, bytes } = await part(path, `${at * size}-${(at + 1) * size - 1}`);
          expect(status).toBe(206);
          return bytes;
        }),
      );
      expect(Buffer.concat(parts).equals((await bytesOf(path)).bytes)).toBe(true);
    });
  });

  test('hyparquet reads single columns of a remote Parquet file', async () => {
    const requestInit = { headers: { authorization: `Bearer ${admin}` } };
    const file = await asyncBufferFromUrl({ url: service.url + pathOf('parquet'), requestInit });
    let read = 0;
    const counted = {
      byteLength: file.byteLength,
      async slice(start: number, end?: number) {
        const bytes = await file.slice(start, end);
        read += bytes.byteLength;
        return bytes;
      },
    };
    const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
    const columns = ['transaction_id'];
    const rows = await parquetReadObjects({ file: counted, columns, compressors });
    expect(rows.map(({ transaction_id }) => Number(transaction_id))).toEqual(
      Array.from({ length: ROWS }, (_, at) => at),
    );
    expect(read).toBeLessThan(file.byteLength / 2);
  });

  test('an Arrow file is read batch by batch from its parts', async () => {
    const path = pathOf('arrow');
    const { length } = await head(path);
    const remote = {
      fd: 0,
      stat: async () => ({ size: length }),
      read: async (buffer: Uint8Array, offset: number, size: number, at: number) => {
        const { bytes } = await part(path, `${at}-${at + size - 1}`);
        buffer.set(bytes, offset);
        return { bytesRead: bytes.length, buffer };
      },
      close: async () => undefined,
    };
    const reader = await RecordBatchReader.from(remote as unknown as FileHandle);
    await reader.open();
    let rows = 0;
    for await (const batch of reader) rows += batch.numRows;
    expect(rows).toBe(ROWS);
  });

  test('curl resumes a cut download with the same bytes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'resumed-'));
    try {
      const path = pathOf('parquet');
      const { length } = await head(path);
      const file = join(directory, 'file');
      await writeFile(file, (await part(path, `0-${length >> 1}`)).bytes);
      const authorization = ['-H', `Authorization: Bearer ${admin}`];
      const resume = ['--silent', '--fail', '--continue-at', '-', '--output', file];
      const { code } = await outcomeOf(
        spawn('curl', [...resume, ...authorization, service.url + path]),
      );
      expect(code).toBe(0);
      expect((await readFile(file)).equals((await bytesOf(path)).bytes)).toBe(true);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('a request for a part gets the whole file if none is kept, even if one is kept for another token of the same websites', async () => {
    const path = pathOf('parquet', MANY_SALES, 'affiliate');
    const own = { role: 'affiliate', publisherIds: [100] } as const;
    const [one, other] = [await service.token(own), await service.token(own)];
    expect((await bytesOf(path, { range: 'bytes=0-9' }, one)).status).toBe(200);
    await head(path, one);
    expect((await bytesOf(path, { range: 'bytes=0-9' }, one)).status).toBe(206);
    expect((await bytesOf(path, { range: 'bytes=0-9' }, other)).status).toBe(200);
  });

  test('a reader of parts stays with its file when rows change, and files are never mixed', async () => {
    const path = pathOf('parquet', `${JANUARY}&order=desc`);
    const old = await head(path);
    const whole = (await bytesOf(path)).bytes;
    await service.importText(
      ndjson([fileRow({ transaction_id: ROWS + 50, created_at: '2026-01-11 12:00:00' })]),
    );
    const stays = await part(path, '4-99');
    expect([stays.status, stays.headers.get('etag')]).toEqual([206, old.tag]);
    expect(stays.bytes.equals(whole.subarray(4, 100))).toBe(true);
    const renewed = await head(path);
    expect(renewed.tag).not.toBe(old.tag);
    // Both files are kept now, so a request for a part without a tag is ambiguous.
    expect((await part(path, '4-99')).status).toBe(200);
    for (const { tag } of [old, renewed]) {
      for (const name of ['if-range', 'if-match']) {
        const own = await part(path, '4-99', { [name]: tag });
        expect([own.status, own.headers.get('etag')]).toEqual([206, tag]);
      }
    }
  });

  test.runIf(isExact)('If-None-Match with the tag of a file is answered by 304', async () => {
    const path = pathOf('parquet', `${JANUARY}&status=2`);
    const { tag } = await head(path);
    const before = written;
    const known = await get(path, { 'if-none-match': tag, range: 'bytes=0-1' });
    expect([known.status, known.headers.get('etag'), written]).toEqual([304, tag, before]);
  });

  test('parts of a page have its link, and the position of the change feed at the time of the whole file', async () => {
    const page = pathOf('parquet', `${JANUARY}&limit=1`);
    const list = pathOf('parquet', `${JANUARY}&country=FR`);
    const first = await head(page);
    const { headers } = await part(page, '0-9');
    expect(headers.get('link')).toBe(first.response.headers.get('link'));
    const before = (await head(list)).response.headers.get('changes-after');
    await service.importText(
      ndjson([
        fileRow({ type: 'leads', transaction_id: ROWS + 60, created_at: '2026-01-11 12:00:00' }),
      ]),
    );
    expect((await part(list, '0-9')).headers.get('changes-after')).toBe(before);
  });

  test('no part of a file is sent after an erasure, and a file is written again if one ends before it is sent', async () => {
    const kept = pathOf('parquet', `${JANUARY}&order=asc`);
    await head(kept);
    expect((await part(kept, '0-9')).status).toBe(206);
    const path = pathOf('parquet', `${JANUARY}&order=desc`);
    const before = written;
    const selectors = [{ field: 'clickid', values: ['c3'] }] as const;
    afterFile = async () => await service.operator.erase({ selectors, mode: 'empty' });
    const response = await get(path);
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() });
    expect([response.status, written - before]).toEqual([200, 2]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ clickid }) => clickid === 'c3')).toEqual([]);
    const { status, bytes } = await part(kept, '0-9');
    expect([status, bytes.length > 10]).toEqual([200, true]);
  });

  test.runIf(store === 'cluster')(
    'while a server is frozen, parts come from the same file',
    async () => {
      const path = pathOf('parquet', `${JANUARY}&status=0`);
      const { tag } = await head(path);
      service.store.cluster?.freeze(1, true);
      try {
        // The version of the rows is cached for a second; after it, the frozen server is asked.
        await delay(1100);
        for (const range of ['0-9', '10-19']) {
          const { status, headers } = await part(path, range);
          expect([status, headers.get('etag')]).toEqual([206, tag]);
        }
      } finally {
        service.store.cluster?.freeze(1, false);
      }
    },
  );

  test('each part is a line in the audit log, without a number of rows', async () => {
    const path = pathOf('parquet', `${JANUARY}&device_type=mobile`);
    await head(path);
    await part(path, '0-9', { 'x-request-id': 'a-part' });
    expect(await lineOf(service, 'a-part')).toMatchObject({
      event: 'report',
      details: { format: 'parquet', outcome: 'complete', status: 206, rows: null, bytes: 10 },
    });
  });
});
