import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { type ServingCommand, startServing } from '../support/programs/command.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort, SEED, withinMs } from '../support/run/test-extent.ts';
import { WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const KILLS = fullOrShort(50, 1);

/** Rows of an import: three messages, because a message has at most 100 changes. */
const ROWS = 250;
const IMPORTS = fullOrShort(Math.ceil(KILLS * 0.7) + 1, 1);

/** Random numbers from 0 to 1 that are the same for the same seed. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** When the service is killed: as a message arrives, when it is answered, or a little later. */
const MOMENTS = ['before the response', 'with the response', 'after the response'] as const;

test(
  `each change arrives in order and verified, whenever the service is killed (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED);
    const directory = await mkdtemp(join(tmpdir(), 'transactions-webhooks-'));
    const receiver = await WebhookReceiver.start();
    onTestFinished(async () => {
      await receiver.close();
      await rm(directory, { recursive: true, force: true });
    });
    const ids = await fill(directory, receiver);
    const serve = async () =>
      await startServing(['serve', '--port', '0', '--database', `chdb:${directory}/db`], {
        directory,
        environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
      });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const moment = MOMENTS[kill % MOMENTS.length] ?? 'with the response';
      await killAt(moment, random, receiver, await serve());
    }
    receiver.respond = (response) => response.writeHead(204).end();
    const last = await serve();
    await receiver.until(() => receiver.ids.length >= ids.length);
    await last.stop();
    expect(receiver.ids).toEqual(ids);
    expect(receiver.forged).toEqual([]);
    const bodies = Map.groupBy(receiver.messages, ({ id }) => id);
    for (const [id, repeated] of bodies) {
      expect(new Set(repeated.map(({ body }) => body)).size, id).toBe(1);
    }
    // After a kill, at most one message is repeated: the one under way, or one whose delivery was not stored yet.
    expect(receiver.messages.length - bodies.size).toBeLessThanOrEqual(KILLS);
  },
  withinMs(KILLS * 30_000),
);

/** Adds a webhook, and imports sales that no service delivers yet. Returns their identifiers in order. */
async function fill(directory: string, receiver: WebhookReceiver): Promise<readonly number[]> {
  await newDatabase(join(directory, 'db'), 'UTC');
  const database = await openDatabase({
    url: `chdb:${directory}/db`,
    timeZone: 'UTC',
    webhookNetworks: ['127.0.0.0/8'],
  });
  const operator = new LocalOperator(database);
  const { secret } = await operator.webhooks.add({
    url: receiver.url,
    role: 'admin',
    publisherIds: [],
    programIds: [],
    types: ['sales'],
    locale: null,
    name: null,
  });
  receiver.secret = secret;
  for (let count = 0; count < IMPORTS; count += 1) {
    const rows = Array.from({ length: ROWS }, (_, at) =>
      fileRow({ transaction_id: count * ROWS + at + 1 }),
    );
    const path = join(directory, `${count}.ndjson`);
    await writeFile(path, ndjson(rows));
    const files = [{ path, name: `${count}.ndjson` }];
    await operator.importFiles({ files, type: undefined, round: false, rejects: false }, {});
  }
  await operator.close();
  return Array.from({ length: IMPORTS * ROWS }, (_, at) => at + 1);
}

/** Kills the service after one or two messages more. */
async function killAt(
  moment: (typeof MOMENTS)[number],
  random: Generator<number, never>,
  receiver: WebhookReceiver,
  service: ServingCommand,
): Promise<void> {
  const kill = () => void service.child.kill('SIGKILL');
  let left = random.next().value < 0.5 ? 1 : 2;
  const later = 30 * random.next().value;
  receiver.respond = async (response) => {
    left -= 1;
    if (left === 0 && moment === 'before the response') return kill();
    response.writeHead(204).end();
    if (left > 0) return;
    if (moment === 'after the response') await delay(later);
    kill();
  };
  await service.ended;
}
