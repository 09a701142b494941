import { get, type IncomingMessage } from 'node:http';
import { addAbortSignal, PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessWatch } from '../../../src/auth/access-watch.ts';
import type { Principal } from '../../../src/auth/principal.ts';
import type { Reader } from '../../../src/engine/engine.ts';
import { revokedPrincipals } from '../../../src/store/blocked-subjects.ts';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(60_000, 25_000);
const LIST = `/api/admin/transactions?${MANY_SALES}`;

/** Milliseconds between two checks for revoked tokens: few, so that the tests take little time. */
const INTERVAL = 50;

/** A client of the identity provider. */
const SUBJECT: Principal = {
  id: 'auth0|someone',
  role: 'admin',
  publisherIds: 'all',
  programIds: 'all',
};

let service: TestService;
/** Milliseconds that a download may last; 0 for no limit. */
let longestDownload = 0;
/** Keeps new downloads waiting for the engine. */
let isEngineBusy = false;

beforeAll(async () => {
  service = await startService({
    makeEmbedded: databaseWithManySales(ROWS),
    settings: { memoryCache: 0 },
    verifyJwt: async () => SUBJECT,
    parts: (parts) => {
      const findRevoked = async (ids: readonly string[]) =>
        await revokedPrincipals(parts.reader, ids);
      const read: typeof parts.reader.read = (statement, signal) =>
        isEngineBusy ? nothingUntil(signal) : parts.reader.read(statement, signal);
      return {
        ...parts,
        reader: { rows: parts.reader.rows.bind(parts.reader), read },
        accessWatch: {
          watch: (...args: Parameters<AccessWatch['watch']>) =>
            new AccessWatch({
              findRevoked,
              tokenVersion: () => undefined,
              longestDownload,
              interval: INTERVAL,
            }).watch(...args),
        },
      };
    },
  });
});

afterAll(async () => await service.close());

// A ClickHouse server accepts parameters of at most 128 KiB.
test('revoked principals are found, even if the principals to check do not fit into one statement', async () => {
  const { operator, database } = service;
  const ids = Array.from({ length: 1200 }, (_, at) => `auth0|${'x'.repeat(200)}${at}`);
  const blocked = [ids[3], ids[700], ids[1199]].filter((id) => id !== undefined);
  for (const id of blocked) await operator.blockSubject(id);
  let longest = 0;
  const reader: Reader = {
    rows: async (statement) => {
      longest = Math.max(longest, JSON.stringify(statement.values).length);
      return await database.engine.rows(statement);
    },
    read: (statement, signal) => database.engine.read(statement, signal),
  };
  expect([...(await revokedPrincipals(reader, ids))].sort()).toEqual(blocked.sort());
  expect(longest).toBeLessThan(128 * 1024);
  for (const id of blocked) await operator.unblockSubject(id);
});

/** A query that never returns a row. */
const nothingUntil = (signal: AbortSignal): AsyncIterable<Uint8Array> =>
  addAbortSignal(signal, new PassThrough());

/** A download whose reader has stopped after the first bytes. */
async function pausedDownload(token: string, path = LIST): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${token}` };
  get(service.url + path, { headers, agent: false }, resolve).on('error', reject);
  return (await promise).pause();
}

/** The whole body; rejects if the connection was cut. */
const bodyOf = async (response: IncomingMessage): Promise<string> =>
  Buffer.concat(await response.toArray()).toString();

async function newToken(expiresAt?: Date): Promise<{ token: string; id: string }> {
  const { token, record } = await service.operator.createToken({
    role: 'admin',
    publisherIds: [],
    programIds: [],
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  return { token, id: record.id };
}

/** How many downloads were cut for this reason. */
const cutsBy = (code: string): number =>
  service.log.filter((line) => line.includes('response cut') && line.includes(`"code":"${code}"`))
    .length;

/** In `npm test`, one stream, and a file that is larger than that of Parquet with the same rows. */
const FORMATS = fullOrShort(['json', 'csv', 'parquet'], ['json', 'arrow']);

test.each(FORMATS)(
  'a download in the format %s is cut when its token is revoked',
  async (format) => {
    const { token, id } = await newToken();
    const other = await newToken();
    const path = `${LIST}&format=${format}`;
    const [ended, untouched] = await Promise.all([
      pausedDownload(token, path),
      pausedDownload(other.token, path),
    ]);
    const before = cutsBy('token_revoked');
    await service.operator.revokeToken(id);
    await expect.poll(() => cutsBy('token_revoked')).toBe(before + 1);
    await expect(bodyOf(ended)).rejects.toThrow();
    expect((await bodyOf(untouched)).length).toBeGreaterThan(0);
  },
);

test('a download is cut when its subject is blocked', async () => {
  const response = await pausedDownload('a.b.c');
  const before = cutsBy('token_revoked');
  await service.operator.blockSubject(SUBJECT.id);
  await expect.poll(() => cutsBy('token_revoked')).toBe(before + 1);
  await expect(bodyOf(response)).rejects.toThrow();
});

test('a download is cut when its token expires', async () => {
  const { token } = await newToken(new Date(Date.now() + 2000));
  const response = await pausedDownload(token);
  await expect.poll(() => cutsBy('token_expired')).toBe(1);
  await expect(bodyOf(response)).rejects.toThrow();
});

test('a download is cut when it has lasted too long', async () => {
  // Longer than a response needs to begin on a busy machine.
  longestDownload = 3000;
  const response = await pausedDownload((await newToken()).token);
  longestDownload = 0;
  await expect.poll(() => cutsBy('busy')).toBe(1);
  await expect(bodyOf(response)).rejects.toThrow();
});

test('a download whose token is revoked before it begins gets a problem', async () => {
  const { token, id } = await newToken();
  isEngineBusy = true;
  const answer = service.get(LIST, token);
  await service.operator.revokeToken(id);
  expect((await answer).status).toBe(401);
  isEngineBusy = false;
});
