import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { NewWebhook } from '../../src/webhooks/webhook.ts';
import { openStore } from '../support/databases/stores.ts';
import { type ServingCommand, startServing } from '../support/programs/command.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { withinMs } from '../support/run/test-extent.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { WebhookReceiver } from '../support/servers/webhook-receiver.ts';

// These tests run only in the full run. In `npm test`, delivery-lease.test.ts tests several processes, killed.test.ts
// tests processes that take over, and deliveries.test.ts tests concurrent changes.

const NETWORKS = '127.0.0.0/8';

const WEBHOOK: NewWebhook = {
  url: 'http://127.0.0.1:9/',
  role: 'affiliate',
  publisherIds: [100],
  programIds: [],
  types: ['sales'],
  locale: null,
  name: null,
};

test.each(['server', 'cluster'] as const)(
  'of two processes on a %s one delivers, and the other takes over when it stops',
  async (kind) => {
    const receiver = await WebhookReceiver.start();
    const { operator, serve, importSales } = await openOn(kind);
    onTestFinished(async () => await receiver.close());
    const rights = { role: 'admin', publisherIds: [], programIds: [] } as const;
    const { record } = await operator.createToken(rights);
    const { id, secret } = await operator.webhooks.add({
      ...WEBHOOK,
      createdBy: record.id,
      url: receiver.url,
    });
    receiver.secret = secret;
    const [one] = await Promise.all([serve(), serve()]);
    const first = await importSales(1, 150);
    await receiver.until(() => receiver.ids.length === 150);
    await operator.webhooks.pause(id);
    const second = await importSales(151, 150);
    await operator.webhooks.resume(id);
    await receiver.until(() => receiver.ids.length === 300);
    // If this service holds the delivery lease, it ends the lease.
    await one.stop();
    const third = await importSales(301, 1);
    await receiver.until(() => receiver.ids.length === 301);
    expect(receiver.ids).toEqual([...first, ...second, ...third]);
    expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(
      receiver.messages.length,
    );
    expect(receiver.forged).toEqual([]);
    await operator.revokeToken(record.id);
    const isRevoked = async () => (await operator.webhooks.list())[0]?.isRevoked;
    await expect.poll(isRevoked).toBe(true);
    await operator.webhooks.resume(id);
    expect(await isRevoked()).toBe(false);
  },
  withinMs(120_000),
);

test.each(['server', 'cluster'] as const)(
  'of changes that two processes on a %s make at the same time none is lost, and a removal is final',
  async (kind) => {
    const { operator, openOperator } = await openOn(kind);
    const [one, other] = [operator.webhooks, (await openOperator()).webhooks];
    const { id, secret } = await one.add(WEBHOOK);
    const changing = [one, other].flatMap((webhooks) => [webhooks.rotate(id), webhooks.resume(id)]);
    const secrets = (await Promise.all(changing)).filter((result) => result !== true);
    expect(new Set([secret, ...secrets]).size).toBe(3);
    const [found] = await other.list();
    expect(found?.webhook).toMatchObject({ generation: 2, secret: { rotation: 2 } });
    const [isRemoved] = await Promise.all([one.remove(id), other.pause(id)]);
    expect([isRemoved, await other.resume(id), await one.list()]).toEqual([true, false, []]);
  },
  withinMs(120_000),
);

/** A store with an operator and services, which end with the test. */
async function openOn(kind: 'server' | 'cluster') {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-webhooks-'));
  const { url, close } = await openStore(kind, directory, 'UTC');
  const operators: LocalOperator[] = [];
  const openOperator = async () => {
    const database = await openDatabase({ url, timeZone: 'UTC', webhookNetworks: [NETWORKS] });
    const opened = new LocalOperator(database);
    operators.push(opened);
    return opened;
  };
  const operator = await openOperator();
  const serving: ServingCommand[] = [];
  onTestFinished(async () => {
    for (const { child } of serving) child.kill('SIGKILL');
    for (const opened of operators) await opened.close();
    await close();
    await rm(directory, { recursive: true, force: true });
  });
  const environment = { DATABASE_URL: url, WEBHOOK_ALLOWED_NETWORKS: NETWORKS };
  const serve = async () => {
    const one = await startServing(['serve', '--port', '0'], { directory, environment });
    serving.push(one);
    return one;
  };
  const importSales = async (from: number, count: number) => {
    const ids = Array.from({ length: count }, (_, at) => from + at);
    const path = join(directory, `${from}.ndjson`);
    await writeFile(path, ndjson(ids.map((transaction_id) => fileRow({ transaction_id }))));
    const files = [{ path, name: path }];
    await operator.importFiles({ files, type: undefined, round: false, rejects: false }, {});
    return ids;
  };
  return { operator, openOperator, serve, importSales };
}
