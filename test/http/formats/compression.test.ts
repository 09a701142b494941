import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problems/problems.ts';
import { contentCoding } from '../../../src/http/negotiation/content-coding.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { sampled } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(30_000, 12_000);
/** Rows on a server or a cluster: enough for several blocks of each server of the cluster. */
const ROWS_OF_OTHERS = 10_000;

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const CODINGS = Object.keys(DECODERS) as readonly (keyof typeof DECODERS)[];

describe('the header Accept-Encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['GZip', 'gzip'],
    ['*', 'identity'],
    ['*;q=0.5, zstd;q=0', 'identity'],
    ['gzip, *;q=0.5', 'gzip'],
    ['*, br', 'br'],
    ['*, identity;q=0', 'gzip'],
    ['*, identity;q=0, zstd;q=0.5', 'gzip'],
    ['*;q=0, br', 'br'],
    ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0, identity;q=0.1', 'identity'],
    ['deflate', 'identity'],
    ['zstd;q=0', 'identity'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=nonsense', 'identity'],
  ] as const)('%j gets %s', (accept, coding) => {
    expect(contentCoding(accept)).toBe(coding);
  });

  test.each(['identity;q=0', '*;q=0', 'deflate, identity;q=0'])('%j gets a problem', (accept) => {
    expect(() => contentCoding(accept)).toThrow(Problem);
  });
});

describe.each(TESTED_STORES)('a response from the store %s', (store) => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService({ store });
    token = await service.token({});
    await insertManySales(service.database.engine, store === 'embedded' ? ROWS : ROWS_OF_OTHERS, 4);
  });

  afterAll(async () => await service.close());

  async function ask(question: string, coding: string, method = 'GET'): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': coding };
    const url = `${service.url}/api/admin/transactions?${MANY_SALES}${question}`;
    get(url, { headers, method }, resolve).on('error', reject);
    return await promise;
  }

  const bodyOf = async (response: IncomingMessage): Promise<Buffer> =>
    Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));

  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  const questions = [
    '',
    '&format=ndjson',
    '&format=csv',
    '&csv=excel',
    '&limit=500',
    '&format=csv&limit=500',
  ];

  // In `npm test`, each question occurs, and each coding occurs with a whole list and with a page.
  test.each(
    sampled(
      CODINGS.flatMap((coding) => questions.map((question) => ({ coding, question }))),
      ({ question }) => question,
      ({ coding, question }) => `${coding} ${question.includes('limit')}`,
    ),
  )('in $coding to "$question" equals the uncompressed one', async ({ coding, question }) => {
    const plain = await bodyOf(await ask(question, 'identity'));
    const response = await ask(question, coding);
    const { headers } = response;
    const body = await bodyOf(response);
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toContain('Accept-Encoding');
    if (question.includes('limit')) expect(headers['content-length']).toBe(String(body.length));
    expect(body.length).toBeLessThan(plain.length / 2);
    expect(digest(DECODERS[coding](body))).toBe(digest(plain));
  });

  test.each(CODINGS)('in %s has rows in its first bytes', async (coding) => {
    const response = await ask('', coding);
    const { value } = await (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]().next();
    response.destroy();
    expect(value.length).toBeGreaterThan(100);
  });

  test('that is small is compressed only if the client refuses uncompressed ones', async () => {
    const small = '&limit=1&fields=transaction_id';
    const plain = await ask(small, 'zstd, br, gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse((await bodyOf(plain)).toString())).toEqual([{ transaction_id: 0 }]);
    const forced = await ask(small, 'gzip, identity;q=0');
    expect(forced.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(await bodyOf(forced)).toString())).toEqual([
      { transaction_id: 0 },
    ]);
  });

  test.each(['', '&limit=500'])('to HEAD "%s" has the headers of GET', async (question) => {
    const head = await ask(question, 'zstd', 'HEAD');
    expect(head.headers['content-encoding']).toBe('zstd');
    expect((await bodyOf(head)).length).toBe(0);
  });

  test('that is a problem is not compressed', async () => {
    const response = await ask('&format=nothing', 'gzip');
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse((await bodyOf(response)).toString())).toMatchObject({ status: 400 });
  });
});
