import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { refuseBlocked } from '../../../src/auth/refuse-blocked.ts';
import { Problem } from '../../../src/contract/problems/problems.ts';
import { blockedSubjects, revokedPrincipals } from '../../../src/store/blocked-subjects.ts';
import { STORES } from '../../support/databases/tested-stores.ts';
import { lineOf, parsedLines } from '../../support/requests/audit-lines.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { testInFull as test } from '../../support/run/test-in-full.ts';

// Only in the full run. In `npm test`, audit.test.ts tests the lines of the audit log, and
// cluster/imports.test.ts blocks a subject on a cluster.

const SALES = `transaction_id,program_id,publisher_id,support_id,status,clickid,created_at,updated_at
1,12,345,7,2,c0ffee,2026-01-15 10:00:00,2026-01-15 10:00:00
2,12,346,7,2,"two
lines",2026-01-16 10:00:00,2026-01-16 10:00:00
`;

const JANUARY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-audit-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

const SUBJECT = {
  id: 'auth0|someone',
  role: 'admin',
  publisherIds: 'all',
  programIds: 'all',
} as const;

describe.each(STORES)('on the store %s', (kind) => {
  const file = () => join(directory, `${kind}.log`);
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store: kind, settings: { auditLog: file() } });
  });

  afterAll(async () => await service.close());

  test('a blocked subject is refused, and every server knows it, until it is unblocked', async () => {
    const { engine } = service.database;
    const { operator } = service;
    const verify = refuseBlocked(
      async () => SUBJECT,
      async () => await blockedSubjects(engine),
    );
    const answer = async (): Promise<unknown> =>
      await verify('a token').then(
        () => 'accepted',
        (error: unknown) => (error instanceof Problem ? error.code : error),
      );
    const blockedOnEach = async () =>
      await Promise.all(engine.each().map(async (one) => (await blockedSubjects(one)).length));
    const patient = { timeout: 20_000, interval: 200 };
    expect(await answer()).toBe('accepted');
    await operator.blockSubject(SUBJECT.id);
    await expect.poll(answer, patient).toBe('token_revoked');
    await expect.poll(blockedOnEach, patient).toEqual(engine.each().map(() => 1));
    const ended = await revokedPrincipals(engine, [SUBJECT.id, 'another']);
    expect([...ended]).toEqual([SUBJECT.id]);
    expect(await operator.unblockSubject(SUBJECT.id)).toBe(true);
    await expect.poll(answer, patient).toBe('accepted');
    await expect.poll(blockedOnEach, patient).toEqual(engine.each().map(() => 0));
    expect(await operator.unblockSubject(SUBJECT.id)).toBe(false);
  });

  test('reports and refusals are in the database and in the file', async () => {
    await service.importText(SALES, 'sales');
    const token = await service.token({
      role: 'affiliate',
      publisherIds: [345, 346],
      name: 'Blog',
    });
    const asked = `${JANUARY}&clickid=c0ffee&fields=transaction_id,clickid`;
    const response = await service.get(`/api/affiliate/transactions?${asked}`, token, {
      'x-request-id': 'the-list',
      'accept-encoding': 'identity',
    });
    const body = await response.text();
    const line = await lineOf(service, 'the-list');
    const [stored] = await service.operator.listTokens();
    expect(line).toEqual({
      at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
      id: expect.any(String),
      event: 'report',
      principal: stored?.id,
      name: 'Blog',
      role: 'affiliate',
      client: '127.0.0.1',
      request_id: 'the-list',
      details: {
        question: {
          report: 'list',
          types: ['sales'],
          start_date: '2026-01-01',
          end_date: '2026-01-31',
          date_field: 'created_at',
          program_ids: 'all',
          publisher_ids: [345, 346],
          filters: { clickid: [service.audit.hash('clickid', 'c0ffee')] },
          fields: ['transaction_id', 'clickid'],
          group_by: [],
          order: 'asc',
          sort: null,
          compare: null,
          limit: null,
          is_later_page: false,
        },
        format: 'json',
        outcome: 'complete',
        status: 200,
        code: null,
        rows: 1,
        bytes: body.length,
        ms: expect.any(Number),
      },
    });
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const refused = await service.get(`/api/admin/transactions?${JANUARY}`);
        await refused.text();
      }),
    );
    // The log reports omitted refusals at the end of a minute, or when the server closes.
    await service.server.close();
    await service.audit.flush();
    const inFile = parsedLines(await readFile(file(), 'utf8'));
    expect(inFile.find(({ request_id }) => request_id === 'the-list')).toEqual(line);
    const refusals = inFile.filter(({ event }) => event === 'access_refused');
    expect(refusals.length).toBe(120);
    expect(refusals[0]).toMatchObject({
      principal: null,
      client: '127.0.0.1',
      details: { route: '/api/admin/transactions', status: 401, code: 'token_missing' },
    });
    const omitted = inFile.filter(({ event }) => event === 'refusals_omitted');
    expect(omitted.map(({ details }) => details.count)).toEqual([80]);
  });
});
