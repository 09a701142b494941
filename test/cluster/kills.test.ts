import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/demo/random/random.ts';
import type { Reader } from '../../src/engine/engine.ts';
import { insertManySales, MANY_SALES } from '../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../support/databases/running-queries.ts';
import { download } from '../support/requests/paced-download.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fullOrShort, IS_FULL, SEED } from '../support/run/test-extent.ts';

const ROWS = fullOrShort(100_000, 40_000);
/** Two replicas are killed during each download, so a full run kills fifty. */
const DOWNLOADS = fullOrShort(25, 1);
/** Every fifth download is one of an affiliate. */
const roleOf = (download: number) => (download % 5 === 4 ? 'affiliate' : 'admin');

/** The replicas of each shard. */
const SHARDS: readonly (readonly number[])[] = [
  [0, 1],
  [2, 3],
];

interface Kill {
  /** The server is killed after the engine has returned so many bytes of the response. */
  readonly after: number;
  readonly server: number;
  /** Whether the server was running the query. */
  readonly isHit: boolean;
}

let service: TestService;
/** Actions to run when the engine has returned so many bytes. */
let pendingActions: { readonly after: number; readonly happen: () => Promise<void> }[] = [];
let bytesReturned = 0;
/** How often a response was interrupted and resumed. */
let interruptions = 0;

/** Runs pending actions between two blocks, and waits for them. Otherwise the query could end before an action. */
const watched = (reader: Reader): Reader => ({
  async *read(statement, signal) {
    try {
      for await (const block of reader.read(statement, signal)) {
        bytesReturned += block.length;
        while (pendingActions[0] !== undefined && pendingActions[0].after <= bytesReturned)
          await pendingActions.shift()?.happen();
        yield block;
      }
    } catch (error) {
      interruptions += 1;
      throw error;
    }
  },
  rows: async (statement) => await reader.rows(statement),
});

beforeAll(async () => {
  service = await startService({
    store: 'cluster',
    parts: (parts) => ({ ...parts, reader: watched(parts.reader) }),
  });
  await insertManySales(service.database.engine, ROWS, 2);
});

afterAll(async () => await service.close());

/** The servers that run the query of a response. */
async function reading(servers: readonly number[]): Promise<readonly number[]> {
  const engines = service.database.engine.each();
  const asked = servers.map(async (server) => {
    const queries = await runningQueries(engines[server] as Reader);
    return queries.some((query) => query.includes('record_head'));
  });
  const answers = await Promise.all(asked);
  return servers.filter((_, at) => answers[at]);
}

/** Kills a server that runs the query, or any server if none runs it. Each shard keeps a replica. */
async function killOne(kills: Kill[], after: number, random: Random): Promise<void> {
  const spared = SHARDS.filter((shard) => kills.some(({ server }) => shard.includes(server)));
  const candidates = SHARDS.filter((shard) => !spared.includes(shard)).flat();
  const readers = await reading(candidates);
  const among = readers.length > 0 ? readers : candidates;
  const server = among[random.integer(0, among.length - 1)] ?? 0;
  kills.push({ after, server, isHit: readers.includes(server) });
  await service.store.cluster?.kill(server);
}

const revived = async (servers: readonly number[]) =>
  await Promise.all(servers.map(async (server) => await service.store.cluster?.revive(server)));

interface Question {
  readonly url: string;
  readonly token: string;
  /** The body of a download without kills. */
  readonly whole: Buffer;
}

async function questionOf(role: 'admin' | 'affiliate'): Promise<Question> {
  const rows = role === 'admin' ? ROWS : ROWS / 2;
  const token = await service.token({ role, publisherIds: role === 'admin' ? [] : [100] });
  const url = `${service.url}/api/${role}/transactions?${MANY_SALES}`;
  const whole = await download({ url, token });
  expect(JSON.parse(whole.toString())).toHaveLength(rows);
  return { url, token, whole };
}

test('a download loses and repeats no row when replicas are killed', async () => {
  const random = new Random(SEED);
  const questions = new Map<string, Question>();
  let hits = 0;
  interruptions = 0;
  for (let at = 0; at < DOWNLOADS; at += 1) {
    const role = roleOf(at);
    const question = questions.get(role) ?? (await questionOf(role));
    questions.set(role, question);
    const { url, token, whole } = question;
    const kills: Kill[] = [];
    const moments = [0, 1].map(() => Math.floor(random.between(0, 0.95) * whole.length));
    bytesReturned = 0;
    pendingActions = moments
      .sort((one, other) => one - other)
      .map((after) => ({ after, happen: async () => await killOne(kills, after, random) }));
    const attempt = () => `seed ${SEED}, download ${at}: ${JSON.stringify(kills)}`;
    const asFastAsItGoes = { url, token, bytesPerSecond: Number.POSITIVE_INFINITY };
    const body = await download(asFastAsItGoes).catch((cause: unknown) => {
      throw new Error(attempt(), { cause });
    });
    expect(body.equals(whole), attempt()).toBe(true);
    expect(kills, attempt()).toHaveLength(2);
    hits += kills.filter(({ isHit }) => isHit).length;
    await revived(kills.map(({ server }) => server));
  }
  // In a measured run, about 33 of 50 kills hit a running query. Others missed, because the rest of the response
  // was already sent, or because the shard has no rows of the website. The few kills of `npm test` may all miss.
  if (IS_FULL) expect([hits > 5, interruptions > 0]).toEqual([true, true]);
});

// Only in the full run. In `npm test`, the test above kills and restarts four servers.
test.runIf(IS_FULL)(
  'a download survives the restart of every server, one after the other',
  async () => {
    const { url, token, whole } = await questionOf('admin');
    const rollOn = async () => {
      for (const server of [0, 2, 1, 3]) {
        await service.store.cluster?.kill(server);
        await revived([server]);
      }
    };
    const events = [{ after: 1, happen: rollOn }];
    const body = await download({ url, token, events, bytesPerSecond: whole.length / 8 });
    expect(body.equals(whole)).toBe(true);
  },
);
