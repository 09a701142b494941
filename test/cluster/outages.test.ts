import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { insertManySales, MANY_SALES } from '../support/databases/inserted/many-sales.ts';
import { CutDownload, download } from '../support/requests/paced-download.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { type ClusterService, serveCluster } from '../support/servers/cluster-service.ts';

// Only in the full run. In `npm test`, replicas die in kills.test.ts, and failing-engine.test.ts has a database that
// never answers.

const ROWS = 160_000;

/** Milliseconds within which a request is refused, and within which a restarted server answers. */
const SOON = 5000;

const EVERY_SERVER = [0, 1, 2, 3];

/** One website of each shard. */
const AFFILIATES = [100, 101];

let service: ClusterService;
let admin: string;
const affiliates: string[] = [];

beforeAll(async () => {
  service = await serveCluster();
  await insertManySales(service.engine, ROWS, 2);
  admin = await service.token({});
  for (const website of AFFILIATES) {
    affiliates.push(await service.token({ role: 'affiliate', publisherIds: [website] }));
  }
});

afterAll(async () => await service.close());

const kill = async (servers: readonly number[]) =>
  await Promise.all(servers.map(async (server) => await service.cluster.kill(server)));

const revive = async (servers: readonly number[]) =>
  await Promise.all(servers.map(async (server) => await service.cluster.revive(server)));

const urlFor = (role: string, question = MANY_SALES) =>
  `${service.serving.url}/api/${role}/transactions?${question}`;

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
}

/** A small query, so that its response is cheap. */
async function ask(role: string, token: string): Promise<Answer> {
  const started = performance.now();
  const question = 'type=sales&start_date=2026-03-02&end_date=2026-03-02';
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(3 * SOON);
  const response = await fetch(urlFor(role, question), { headers, signal });
  const text = await response.text();
  return {
    status: response.status,
    code: response.ok ? undefined : JSON.parse(text).code,
    retryAfter: response.headers.get('retry-after'),
    milliseconds: performance.now() - started,
  };
}

function expectRefusal({ milliseconds, ...answer }: Answer): void {
  expect(answer).toEqual({ status: 503, code: 'database_unavailable', retryAfter: '5' });
  expect(milliseconds).toBeLessThan(SOON);
}

/** Milliseconds until an administrator gets a list. Earlier responses must be refusals as `expectRefusal` expects. */
async function timeUntilAnswered(): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await ask('admin', admin);
    if (answer.status === 200) return performance.now() - started;
    expectRefusal(answer);
    await sleep(50);
  }
}

const OUTAGES: readonly { name: string; dead: readonly number[]; back: number | undefined }[] = [
  { name: 'the first shard', dead: [0, 1], back: 1 },
  { name: 'the second shard', dead: [2, 3], back: 2 },
  { name: 'every shard', dead: EVERY_SERVER, back: undefined },
];

describe.each(OUTAGES)('while all replicas of $name are down', ({ dead, back }) => {
  test('a running download is cut', async () => {
    const url = urlFor('admin');
    const whole = await download({ url, token: admin });
    const events = [{ after: 1, happen: async () => void (await kill(dead)) }];
    const cut = await download({ url, token: admin, events }).catch((error: unknown) => error);
    if (cut instanceof CutDownload)
      expect(() => JSON.parse(cut.body.toString())).toThrow(SyntaxError);
    // The download was read to its end before the servers were killed.
    else expect(cut).toEqual(whole);
  });

  test('requests that need a missing shard are refused, even with a cached token', async () => {
    const until = performance.now() + 4500;
    while (performance.now() < until) {
      expectRefusal(await ask('admin', admin));
      for (const token of affiliates) {
        const answer = await ask('affiliate', token);
        if (answer.status !== 200) expectRefusal(answer);
      }
      await sleep(100);
    }
    expect((await fetch(`${service.serving.url}/health/live`)).status).toBe(200);
  });

  test('a restarted replica is used again within seconds', async () => {
    await revive(back === undefined ? [0, 3] : [back]);
    expect(await timeUntilAnswered()).toBeLessThan(SOON);
    const started = await download({ url: urlFor('affiliate'), token: affiliates[0] ?? '' });
    expect(JSON.parse(started.toString())).toHaveLength(ROWS / 2);
    const missing = back === undefined ? [1, 2] : dead.filter((server) => server !== back);
    await revive(missing);
  });
});

test('a frozen server is avoided, even during a download', async () => {
  const url = urlFor('admin');
  const whole = await download({ url, token: admin });
  for (const server of [0, 3]) {
    const freeze = async () => service.cluster.freeze(server, true);
    const events = [{ after: 1, happen: freeze }];
    const body = await download({ url, token: admin, events });
    expect(body.equals(whole)).toBe(true);
    const answer = await ask('admin', admin);
    expect(answer.status).toBe(200);
    expect(answer.milliseconds).toBeLessThan(2 * SOON);
    service.cluster.freeze(server, false);
  }
});

test('the service process survives all outages and freezes of its servers', () => {
  expect(service.serving.child.exitCode).toBeNull();
  expect(service.serving.log.filter((line) => /"level":60/.test(line))).toEqual([]);
});
