import { cp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AddressVisibility,
  FULL_ADDRESSES,
} from '../../src/contract/record/address-visibility.ts';
import { type BackupHome, backupHome } from '../support/databases/backups.ts';
import { runCommand } from '../support/programs/command.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { type ObjectStore, startObjectStore } from '../support/servers/object-store.ts';

const ROWS = 2_000;
const MORE_ROWS = 3_000;
const TIME_ZONE = 'Europe/Paris';

/** What `restore` prints on standard error. */
const REMINDER = expect.stringMatching(
  /^Tokens that were revoked .* are valid again\.\nRevoke and block them again .*\s*$/,
);

let home: BackupHome;
let admin: string;
let affiliate: string;
let revoked: string;
/** The size of the backup `first`. */
let bytes: number;

/** A database, and a backup of it. */
beforeAll(async () => {
  home = await backupHome(TIME_ZONE);
  await home.importRows('data', ROWS);
  await home.operate('data', async (operator) => {
    const everything = { role: 'admin', publisherIds: [], programIds: [] } as const;
    const ofWebsite = { ...everything, role: 'affiliate', publisherIds: [101] } as const;
    admin = (await operator.createToken(everything)).token;
    affiliate = (await operator.createToken(ofWebsite)).token;
    const { token, record } = await operator.createToken(everything);
    revoked = token;
    await operator.revokeToken(record.id);
  });
  const { output } = await home.run('data', ['backup', 'first', '--json']);
  bytes = JSON.parse(output).bytes;
});

afterAll(async () => await home.remove());

/** Serves a copy of a database in this process. */
async function serve(database: string): Promise<TestService> {
  const makeEmbedded = async (directory: string) =>
    await cp(join(home.path, database), directory, { recursive: true });
  return await startService({ timeZone: TIME_ZONE, makeEmbedded });
}

const PERIOD = 'start_date=2024-01-01&end_date=2025-12-31';

/** Responses that show the rows, fingerprints, tokens and cursors of a database. */
async function responsesOf({ url }: TestService, next?: string) {
  const get = async (path: string, token: string) =>
    await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const summary = `/transactions/summary?type=sales,leads,clics&${PERIOD}&group_by=month`;
  const page = await get(`/api/admin/transactions?type=sales&${PERIOD}&limit=7`, admin);
  const link = /<(.*?)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  return {
    next: link,
    tag: page.headers.get('etag'),
    bodies: await Promise.all([
      page.text(),
      get(`/api/admin/transactions?type=sales&${PERIOD}`, admin).then((body) => body.text()),
      get(`/api/affiliate/transactions?type=clics&${PERIOD}`, affiliate).then((body) =>
        body.text(),
      ),
      get(`/api/admin${summary}`, admin).then((body) => body.text()),
      get(`/api/affiliate${summary}`, affiliate).then((body) => body.text()),
      get(next ?? link, admin).then((body) => body.text()),
      get('/api/me', affiliate).then(({ status }) => status),
      get('/api/me', revoked).then(({ status }) => status),
    ]),
  };
}

test('a backup of a running service has its rows, fingerprints, tokens and cursors', async () => {
  const before = await serve('data');
  const expected = await responsesOf(before);
  const database = `chdb:${before.database.directory}`;
  const { code, output } = await runCommand(['backup', 'served', '--database', database], {
    directory: home.path,
  });
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^Backed up 2,000 transactions and 3 access tokens to served: wrote \d/),
  ]);
  await before.close();
  const restored = await home.run('restored', ['restore', 'served', '--json']);
  expect(restored).toMatchObject({ code: 0, errors: REMINDER });
  expect(JSON.parse(restored.output)).toMatchObject({ transactions: ROWS, tokens: 3 });
  const after = await serve('restored');
  const { bodies, tag } = await responsesOf(after, expected.next);
  expect(bodies).toEqual(expected.bodies);
  expect(tag).not.toBe(expected.tag);
  await after.close();
  expect(await home.seenIn('restored')).toEqual({ admin: ROWS, affiliate: ROWS, left: [] });
});

test('only its owner can read a backup', async () => {
  const modes = await Promise.all(
    ['.', 'shard-1', 'shard-1/.backup'].map(
      async (name) => (await stat(join(home.path, 'first', name))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

test('an incremental backup writes only new rows, and needs its base', async () => {
  // Only in the full run. In `npm test`, there are no new rows, and the test of a bucket below restores an incremental
  // backup.
  if (!IS_FULL) {
    expect((await home.backUp('data', 'added', 'first')).bytes).toBeLessThan(bytes);
  } else {
    await cp(join(home.path, 'data'), join(home.path, 'grown'), { recursive: true });
    await home.importRows('grown', MORE_ROWS);
    const whole = await home.backUp('grown', 'whole');
    const added = await home.backUp('grown', 'added', 'first');
    expect(added.bytes).toBeLessThan(whole.bytes);
    expect(await home.run('from-base', ['restore', 'added'])).toMatchObject({ code: 0 });
    expect(await home.seenIn('from-base')).toMatchObject({ admin: MORE_ROWS });
  }
  await rename(join(home.path, 'first'), join(home.path, 'moved'));
  const without = await home.run('without', ['restore', 'added']);
  await rename(join(home.path, 'moved'), join(home.path, 'first'));
  expect([without.code, without.errors]).toEqual([
    1,
    expect.stringContaining('no complete backup'),
  ]);
});

const REFUSALS = [
  [['backup', 'first'], 'data', 'There is already a complete or interrupted backup at first.'],
  [['backup', 'data/inside'], 'data', 'is in the directory of the database'],
  [['backup', 'ftp://host/a'], 'data', 'in a directory or in an S3 bucket'],
  [['backup', 's3://bucket/*'], 'data', 'must not contain the characters of patterns'],
  [['backup', 'next', '--base', 'nothing'], 'data', 'no complete backup at nothing'],
  [['restore', 'first'], 'data', 'The database is not empty'],
  [['restore', 'nothing'], 'new-1', 'There is no complete backup at nothing'],
] as const;

// In `npm test` without the last one: the last test of this file gets the same message for an incomplete backup.
test.each(fullOrShort<readonly (typeof REFUSALS)[number][]>(REFUSALS, REFUSALS.slice(0, -1)))(
  '%j is refused',
  async (args, database, problem) => {
    const { code, output, errors } = await home.run(database, args);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(problem);
  },
);

test('a backup is restored only in its own time zone', async () => {
  const { code, errors } = await home.run('zone', ['restore', 'first'], { TIMEZONE: 'UTC' });
  expect([code, errors]).toEqual([1, expect.stringContaining('Europe/Paris')]);
});

test('a restored database has the IP address setting of the original', async () => {
  const masked = { affiliate: 'masked', admin: 'full' } as const;
  await home.importRows('masked', 10, masked);
  await home.backUp('masked', 'of-masked');
  const refused = await home.run('shown', ['restore', 'of-masked'], { IP_ADDRESSES: 'full' });
  expect([refused.code, refused.errors]).toEqual([
    1,
    expect.stringContaining('Restore with IP_ADDRESSES="affiliate=masked, admin=full"'),
  ]);
  expect(await home.run('shown', ['restore', 'of-masked'])).toMatchObject({ code: 0 });
  const openWith = async (addresses: AddressVisibility) =>
    await home.operate('shown', async (operator) => await operator.databaseState(), addresses);
  expect((await openWith(masked)).addresses?.visibility).toEqual(masked);
  await expect(openWith(FULL_ADDRESSES)).rejects.toThrow('IP_ADDRESSES');
});

test('a damaged backup is refused, and nothing of it becomes visible', async () => {
  const copy = join(home.path, 'damaged');
  await cp(join(home.path, 'first'), copy, { recursive: true });
  const names = await readdir(copy, { recursive: true });
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith('.bin') && name.includes('/transactions/'))
      .map(async (name) => ({ name, size: (await stat(join(copy, name))).size })),
  );
  const largest = sizes.toSorted((one, other) => other.size - one.size)[0];
  const file = await open(join(copy, largest?.name ?? ''), 'r+');
  await file.write('damaged', Math.floor((largest?.size ?? 0) / 2));
  await file.close();
  const { code, errors } = await home.run('saved', ['restore', 'damaged']);
  expect([code, errors]).toEqual([1, expect.stringContaining('The backup is damaged')]);
  expect(await home.run('saved', ['restore', 'first'])).toMatchObject({ code: 0 });
});

const KEY_ID = 'AKTEST';
const SECRET = 'secret-of-the-store';

test('a backup in a bucket is restored from there, and no message has the keys', async () => {
  const store: ObjectStore = await startObjectStore(KEY_ID);
  const keys = {
    AWS_ACCESS_KEY_ID: KEY_ID,
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_ENDPOINT_URL: store.url,
  };
  try {
    const to = 's3://bucket/backups/monday';
    expect(await home.run('data', ['backup', to], keys)).toMatchObject({ code: 0, errors: '' });
    expect(store.keys()).toContain('backups/monday/shard-1/.backup');
    const added = ['backup', 's3://bucket/tuesday', '--base', to];
    expect(await home.run('data', added, keys)).toMatchObject({ code: 0 });
    const restored = await home.run('bucket', ['restore', 's3://bucket/tuesday'], keys);
    expect(restored).toMatchObject({ code: 0, errors: REMINDER });
    expect(await home.seenIn('bucket')).toMatchObject({ admin: ROWS });
    const other = { ...keys, AWS_ACCESS_KEY_ID: 'wrong' };
    const { code, errors } = await home.run('data', ['backup', 's3://bucket/other'], other);
    expect(code).toBe(1);
    expect(errors).not.toContain(SECRET);
  } finally {
    await store.close();
  }
});

test('the files of an interrupted backup are not accepted as a backup', async () => {
  await cp(join(home.path, 'first'), join(home.path, 'rest'), { recursive: true });
  await rm(join(home.path, 'rest/shard-1/.backup'));
  const { code, errors } = await home.run('new-2', ['restore', 'rest']);
  expect([code, errors]).toEqual([1, expect.stringContaining('no complete backup')]);
});
