import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/demo/random.ts';
import type { Reader } from '../../src/store/engine.ts';
import { insertManySales, MANY_SALES } from '../support/many-sales.ts';
import { download } from '../support/paced-download.ts';
import { startService, type TestService } from '../support/service.ts';

const ROWS = 100_000;
/** In each of them two replicas die: fifty in all. */
const DOWNLOADS = 25;

let service: TestService;
/** How often an answer was begun or taken up again. */
let readings = 0;

const counted = (reader: Reader): Reader => ({
  read(statement, signal) {
    readings += 1;
    return reader.read(statement, signal);
  },
  rows: async (statement) => await reader.rows(statement),
});

beforeAll(async () => {
  service = await startService({
    store: 'cluster',
    parts: (parts) => ({ ...parts, reader: counted(parts.reader) }),
  });
  await insertManySales(service.database.engine, ROWS, 2);
});

afterAll(async () => await service.close());

/** One replica of each shard, and when it dies: while much of the body is not yet on its way. */
const victims = (random: Random, length: number) =>
  [0, 2].map((first) => ({
    server: first + random.integer(0, 1),
    after: Math.floor(random.between(0, 0.4) * length),
  }));

const revived = async (servers: readonly number[]) =>
  await Promise.all(servers.map(async (server) => await service.store.cluster?.revive(server)));

interface Question {
  readonly url: string;
  readonly token: string;
  /** The body when nothing happens. */
  readonly whole: Buffer;
}

async function questionOf(role: 'admin' | 'affiliate', rows: number): Promise<Question> {
  const token = await service.token({ role, publisherIds: role === 'admin' ? [] : [100] });
  const url = `${service.url}/api/${role}/transactions?${MANY_SALES}`;
  const whole = await download({ url, token });
  expect(JSON.parse(whole.toString())).toHaveLength(rows);
  return { url, token, whole };
}

test('replicas that are killed in mid-download lose no row and repeat none', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = new Random(seed);
  const questions = [await questionOf('admin', ROWS), await questionOf('affiliate', ROWS / 2)];
  readings = 0;
  for (let at = 0; at < DOWNLOADS; at += 1) {
    const { url, token, whole } = questions[at % 2] as Question;
    const killed = victims(random, whole.length);
    const events = killed.map(({ server, after }) => ({
      after,
      happen: async () => await service.store.cluster?.kill(server),
    }));
    const attempt = `seed ${seed}, download ${at}: ${JSON.stringify(killed)}`;
    const body = await download({ url, token, events }).catch((cause: unknown) => {
      throw new Error(attempt, { cause });
    });
    expect(body.equals(whole), attempt).toBe(true);
    await revived(killed.map(({ server }) => server));
  }
  // Many a kill hits a server that has nothing to do with the download, or has done its part.
  expect(readings).toBeGreaterThan(DOWNLOADS);
}, 240_000);

test('a download outlasts the death and return of every server, one after the other', async () => {
  const { url, token, whole } = await questionOf('admin', ROWS);
  const rollOn = async () => {
    for (const server of [0, 2, 1, 3]) {
      await service.store.cluster?.kill(server);
      await revived([server]);
    }
  };
  const events = [{ after: 1, happen: rollOn }];
  const body = await download({ url, token, events, bytesPerSecond: whole.length / 8 });
  expect(body.equals(whole)).toBe(true);
});
