import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSource } from '../../src/connectors/read-source.ts';
import { importHome } from '../support/databases/import-home.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { type ObjectStore, startObjectStore } from '../support/servers/object-store.ts';

const home = importHome('UTC');
const KEY_ID = 'AKTEST';
const SECRET = 'secret-of-the-store';

let store: ObjectStore;
let open: ObjectStore;

beforeAll(async () => {
  store = await startObjectStore(KEY_ID);
  open = await startObjectStore();
});

afterAll(async () => {
  await store.close();
  await open.close();
});

const environment = () => ({
  AWS_ACCESS_KEY_ID: KEY_ID,
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_ENDPOINT_URL: store.url,
});

test('objects of every format that changed since a date are imported together, byte for byte', async () => {
  store.put('2026/a b é.csv', csv([fileRow({}), fileRow({ pid: 'é\r\n"' })]).trimEnd());
  store.put('2026/b.csv', gzipSync(csv([fileRow({})])));
  store.put('2026/c.ndjson', ndjson([fileRow({})]));
  store.put('2026/old.csv', csv([fileRow({})]), new Date('2026-03-01T10:00:00Z'));
  const urls = ['s3://bucket/2026/*.csv', 's3://bucket/2026/c.ndjson', '--since', '2026-03-02'];
  expect(await home.summary(urls, '', environment())).toMatchObject({ files: 3, imported: 4 });
  expect(await readdir(join(home.path, 'data/incoming'))).toEqual([]);
});

test('an object that is replaced during its download is refused, also by one of the same length', async () => {
  store.put('moving.csv', csv([fileRow({ transaction_id: 11 })]));
  store.replaceWhenRead('moving.csv', csv([fileRow({ transaction_id: 22 })]));
  const { code, errors } = await home.run(['s3://bucket/moving.csv'], '', environment());
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining(
      's3://bucket/moving.csv changed during the download. Nothing was imported.',
    ),
  ]);
});

// Only in the full run. In `npm test`, import.test.ts reports faulty rows of a file by line, by the same code.
test.runIf(IS_FULL)('faulty rows of an object are reported by line', async () => {
  store.put('bad.csv', csv([fileRow({}), fileRow({ status: 5 })]));
  const { code, output } = await home.run(['s3://bucket/bad.csv'], '', environment());
  expect(code).toBe(1);
  expect(output).toContain('s3://bucket/bad.csv:3 status "5" must be 0');
});

// Only in the full run. In `npm test`, the first test leaves out an old object.
test.runIf(IS_FULL)('--since imports only objects that changed since', async () => {
  store.put('days/1.csv', csv([fileRow({})]), new Date('2026-03-01T10:00:00Z'));
  store.put('days/2.csv', csv([fileRow({})]), new Date('2026-03-02T10:00:00Z'));
  // A folder, as the console of S3 creates it.
  store.put('days/', '', new Date('2026-03-02T10:00:00Z'));
  const since = async (date: string) =>
    await home.summary(['s3://bucket/days/*', '--since', date], '', environment());
  expect(await since('2026-03-02')).toMatchObject({ files: 1, imported: 1 });
  expect(await since('2026-04-01')).toMatchObject({ files: 0, imported: 0 });
});

// Only in the full run. In `npm test`, the objects above are read with keys and an endpoint.
test.runIf(IS_FULL)(
  'a public bucket needs no keys, and the URL may name the endpoint',
  async () => {
    open.put('a.csv', csv([fileRow({})]));
    const url = `s3://bucket/a.csv?endpoint=${open.url}`;
    expect(await home.summary([url])).toMatchObject({ imported: 1 });
  },
);

test('if the process that reads a source cannot start, the read fails', async () => {
  const { url } = store;
  const address = {
    kind: 's3',
    bucket: 'bucket',
    url,
    key: 'a.csv',
    name: 's3://bucket/a.csv',
  } as const;
  const request = {
    address,
    rows: 'transactions',
    typeGiven: false,
    directory: home.path,
  } as const;
  const { execPath } = process;
  process.execPath = join(home.path, 'no-such-program');
  const reading = readSource(request, { signal: new AbortController().signal });
  process.execPath = execPath;
  await expect(reading).rejects.toMatchObject({ code: 'ENOENT' });
});

const REFUSALS = [
  ['s3://bucket/nothing.csv', {}, 'there is no such object', 'aws s3 ls'],
  ['s3://bucket/nothing*.csv', {}, 'there is no such object', 'aws s3 ls'],
  ['s3://other/*.csv', {}, 'there is no such bucket', 'region'],
  ['s3://bucket/*', { AWS_ACCESS_KEY_ID: 'wrong' }, 'these credentials', 'AWS_SECRET_ACCESS_KEY'],
  ['s3://bucket/*', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, 'cannot be reached', 'host'],
  ['s3://bucket/*', { AWS_SECRET_ACCESS_KEY: '' }, 'Only one of', 'Set both'],
  ['s3://bucket', {}, 'after s3:// it must have a bucket', 'Write it like'],
  ['s3://bucket/*?regoin=x', {}, 'unknown parameter', 'Did you mean "region"?'],
] as const;

test.each(everyNth(REFUSALS, 4, 3))(
  '%s with %j is refused with advice',
  async (url, more, problem, next) => {
    const { code, errors } = await home.run([url], '', { ...environment(), ...more });
    expect(code).toBe(1);
    expect(errors).toContain(problem);
    expect(errors).toContain(next);
    expect(errors).not.toContain(SECRET);
  },
);
