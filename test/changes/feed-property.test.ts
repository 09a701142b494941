import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { StoreKind } from '../support/databases/tested-stores.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';
import { SEED } from '../support/run/test-extent.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { type FollowedQuery, Follower } from './follower.ts';

// Only in the full run. In `npm test`, histories.test.ts follows random histories on the embedded store.

/** The number of operations on each store. */
const RUNS: readonly { store: StoreKind; steps: number }[] = [
  { store: 'embedded', steps: 200 },
  { store: 'server', steps: 60 },
  { store: 'cluster', steps: 40 },
];

/** A follower that never reaches the end of the feed must not block the run. */
const LIMIT = { timeout: 60 * 60_000 };

/** For each round, the servers that are killed at the same time. */
const DEATHS: readonly (readonly number[])[] = [[0], [3], [1], [2], [0, 3]];

/** Followers that are alive at the same time, each at another position. */
const MAX_FOLLOWERS = 5;

const identifier = fc.integer({ min: 1, max: 12 });

/** A version of a transaction: its `updated_at` may be before that of the stored version, or equal to it. */
const version = fc.record({
  id: identifier,
  program: fc.integer({ min: 1, max: 3 }),
  minute: fc.integer({ min: 0, max: 9 }),
  status: fc.constantFrom('0', '1', '2'),
});

type Version = typeof version extends fc.Arbitrary<infer Value> ? Value : never;

const importStep = fc.record({
  step: fc.constant('import' as const),
  versions: fc.uniqueArray(version, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
});

const step = fc.oneof(
  { weight: 6, arbitrary: importStep },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('empty' as const), id: identifier }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('remove' as const), id: identifier }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps in a round. Each round has new identifiers, as those of removed transactions cannot be imported again. */
const STEPS_OF_ROUND = 30;

const rowOf = ({ id, program, minute, status }: Version, round: number) =>
  fileRow({
    type: id % 3 === 0 ? 'leads' : 'sales',
    transaction_id: round * 100 + id,
    publisher_id: 100 + (id % 2),
    program_id: program,
    status,
    clickid: `click ${id}`,
    validation_date: status === '1' ? '2026-03-20 12:00:00' : null,
    created_at: `2026-0${1 + (id % 3)}-10 12:00:00`,
    updated_at: `2026-04-01 10:0${minute}:00`,
  });

const VERSION = { program: 1, minute: 0, status: '1' } as const;

describe.each(RUNS)('on the store $store', ({ store, steps }) => {
  let service: TestService;
  let queries: readonly FollowedQuery[];

  beforeAll(async () => {
    service = await startService({ store });
    const types = ['sales', 'leads'];
    const admin = await service.token({ role: 'admin' });
    const limited = await service.token({ role: 'admin', programIds: [1, 2] });
    const affiliate = await service.token({ role: 'affiliate', publisherIds: [101] });
    queries = [
      { role: 'admin', token: admin, types },
      { role: 'admin', token: limited, types },
      { role: 'affiliate', token: affiliate, types },
      { role: 'admin', token: admin, types: ['sales'], filter: '&program_id=3&publisher_id=100' },
    ];
  });

  afterAll(async () => await service.close());

  const change = async (change: Step, round: number) => {
    if (change.step === 'import') {
      await service.importText(ndjson(change.versions.map((each) => rowOf(each, round))));
      return;
    }
    const values = [String(round * 100 + change.id)];
    const selectors = [{ field: 'transaction_id' as const, values }];
    await service.operator.erase({ selectors, mode: change.step });
  };

  test('a follower at the end of the feed has the same rows as a new list', LIMIT, async () => {
    const numbers = fc.infiniteStream(fc.nat());
    const [random] = fc.sample(numbers, { numRuns: 1, seed: SEED });
    const next = (below: number): number => Number(random?.next().value ?? 0) % below;
    let followers: Follower[] = [];
    let compared = 0;
    for (const [at, one] of fc.sample(step, { numRuns: steps, seed: SEED }).entries()) {
      for (const query of queries) {
        if (next(3) === 0) followers.push(await Follower.begin(service, query));
      }
      await change(one, Math.floor(at / STEPS_OF_ROUND));
      for (const follower of followers) {
        if (next(3) > 0) await follower.readPage(1 + next(4));
        else compared += await follower.expectExactAtEnd(1 + next(5));
      }
      followers = followers.slice(-MAX_FOLLOWERS);
    }
    for (const follower of followers) compared += await follower.expectExactAtEnd(1 + next(5));
    expect(compared).toBeGreaterThan(steps);
  });

  const onCluster = store === 'cluster' ? test : test.skip;
  onCluster('a follower stays exact while replicas die', async () => {
    const followers = await Promise.all(
      queries.map(async (query) => await Follower.begin(service, query)),
    );
    const { cluster } = service.store;
    for (const [round, dying] of DEATHS.entries()) {
      // The cluster has no Keeper, so an import needs every server: those that died are started again.
      if (round > 0) await Promise.all(DEATHS[round - 1]?.map((at) => cluster?.revive(at)) ?? []);
      const versions = Array.from({ length: 12 }, (_, id) => ({ ...VERSION, id: id + 1 }));
      await change({ step: 'import', versions }, 50 + round);
      const killed = dying.map(async (at) => await cluster?.kill(at));
      for (const follower of followers) await follower.readPage(2);
      await Promise.all(killed);
      for (const follower of followers) await follower.expectExactAtEnd(3);
    }
  });
});
