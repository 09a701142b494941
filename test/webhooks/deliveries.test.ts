import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import { createdByToken, createdByTokenText } from '../../src/cli/commands/created-by-token.ts';
import { select } from '../../src/plan/select.ts';
import { bind, plainStatement, raw, sql, statementOf } from '../../src/plan/sql.ts';
import { LocalWebhooks } from '../../src/webhooks/operations/local-webhooks.ts';
import type { NewWebhook } from '../../src/webhooks/webhook.ts';
import { WebhookFaultLog } from '../../src/webhooks/webhook-fault-log.ts';
import { storedWebhooks } from '../../src/webhooks/webhook-table.ts';
import { addNewRows } from '../support/databases/inserted/new-rows.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';
import { WebhookReceiver } from '../support/servers/webhook-receiver.ts';

let service: TestService;
let receiver: WebhookReceiver;
let nextId = 1;
/** Milliseconds until a failed message is repeated. Each test begins with an hour, which is longer than any test. */
let retryAfter: number;

beforeAll(async () => {
  service = await startService({
    settings: { memoryCache: fullOrShort(64 * 1024 * 1024, 0) },
    webhookNetworks: ['127.0.0.0/8'],
    parts: (parts) => ({
      ...parts,
      deliveryDelays: { interval: 100, databaseRetry: 100, retryDelay: () => retryAfter },
    }),
  });
});

afterAll(async () => await service.close());

beforeEach(async () => {
  retryAfter = 3_600_000;
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  const { webhooks } = service.operator;
  for (const { id } of await webhooks.list()) await webhooks.remove(id);
  await receiver.close();
  expect(receiver.forged).toEqual([]);
});

const operations = () => service.auditedOperator.webhooks;

const wanted = (values: Partial<NewWebhook> = {}): NewWebhook => ({
  url: receiver.url,
  role: 'affiliate',
  publisherIds: [100],
  programIds: [],
  types: ['leads', 'sales'],
  locale: null,
  name: null,
  ...values,
});

async function add(values: Partial<NewWebhook> = {}): Promise<string> {
  const { id, secret } = await operations().add(wanted(values));
  receiver.secret = secret;
  return id;
}

/** Adds a number of sales with these values. Returns their identifiers. */
async function addSales(count: number, values: FileRow = {}): Promise<readonly number[]> {
  const ids = Array.from({ length: count }, () => nextId++);
  await addNewRows(
    service,
    ids.map((id) => fileRow({ transaction_id: id, ...values })),
  );
  return ids;
}

const stateOf = async (id: string) =>
  (await operations().list()).find((one) => one.id === id)?.progress;

test('changes are delivered in order, in messages of at most 100, as the feed writes them', async () => {
  await add();
  const first = await addSales(250);
  await receiver.until(() => receiver.changes.length >= 250);
  const last = nextId++;
  await service.importText(ndjson([fileRow({ transaction_id: last })]));
  await receiver.until(() => receiver.changes.length >= 251);
  expect(receiver.ids).toEqual([...first, last]);
  const sizes = receiver.messages.map(({ data }) => data.changes?.length);
  expect(sizes).toEqual([100, 100, 50, 1]);
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(4);
  const token = await service.token({ role: 'affiliate', publisherIds: [100] });
  const response = await service.get(`/api/affiliate/transactions/sales/${last}`, token);
  const transaction = await response.json();
  expect(receiver.changes.at(-1)).toEqual({ change: 'put', type: 'sales', transaction });
  expect(receiver.messages[0]).toMatchObject({
    type: 'transactions.changed',
    headers: { 'content-type': 'application/json' },
  });
});

const untilState = async (
  id: string,
  isMet: (state: NonNullable<Awaited<ReturnType<typeof stateOf>>>) => boolean,
) => {
  for (;;) {
    const state = await stateOf(id);
    if (state !== undefined && isMet(state)) return state;
    await delay(100);
  }
};

test('a failed message is repeated with the same id and changes, whatever is imported meanwhile', async () => {
  const id = await add();
  receiver.respond = (response) => response.writeHead(500).end();
  retryAfter = 100;
  const [first] = await addSales(1);
  await untilState(id, ({ failures }) => failures === 1);
  const [second] = await addSales(1);
  receiver.respond = (response) => response.writeHead(200).end('ok');
  await receiver.until(() => receiver.ids.length === 2);
  for (const { data } of receiver.messages) expect(data.changes).toHaveLength(1);
  const [failed, ...repeated] = receiver.messages.slice(0, -1);
  expect(repeated.length).toBeGreaterThan(0);
  for (const { id, body } of repeated) expect([id, body]).toEqual([failed?.id, failed?.body]);
  expect(receiver.messages.at(-1)?.id).not.toBe(failed?.id);
  expect(receiver.ids).toEqual([first, second]);
  expect(await untilState(id, ({ failures }) => failures === 0)).toMatchObject({ error: null });
});

const newManager = async (createdBy?: string): Promise<string> => {
  const rights = { role: 'admin', publisherIds: [], programIds: [] } as const;
  const { record } = await service.operator.createToken({
    ...rights,
    mayManageTokens: createdBy === undefined,
    createdBy,
  });
  return record.id;
};

const managerOf = (id: string): Principal => ({
  id,
  role: 'admin',
  publisherIds: 'all',
  programIds: 'all',
});

test('a webhook stops when the token that added it is revoked, until another one resumes it', async () => {
  const [first, second] = [await newManager(), await newManager()];
  const child = await newManager(first);
  const id = await add({ createdBy: first });
  await service.operator.revokeToken(first);
  const created = await createdByToken(first, service.operator);
  expect(created).toEqual({ stoppedWebhooks: [id], validTokens: [child] });
  expect(createdByTokenText(created)).toEqual([
    expect.stringContaining(`stop too: ${id}.`),
    expect.stringContaining(`stay valid: ${child}.`),
  ]);
  const stopped = `"webhook":"${id}","host":"127.0.0.1:${new URL(receiver.url).port}","reason":"creator_revoked"`;
  await expect.poll(() => service.log.join(''), { timeout: 30_000 }).toContain(stopped);
  const other = await WebhookReceiver.start();
  other.secret = (await operations().add(wanted({ url: other.url }))).secret;
  const [sale] = await addSales(1);
  await other.until(() => other.changes.length === 1);
  await other.close();
  expect(other.ids).toEqual([sale]);
  expect(await metric('transactions_webhooks{state="stopped"}')).toBe(1);
  const isRevoked = async () => (await operations().list()).find((one) => one.id === id)?.isRevoked;
  expect([await isRevoked(), receiver.messages]).toEqual([true, []]);
  await operations().resume(id, managerOf(second));
  await receiver.until(() => receiver.changes.length === 1);
  expect([await isRevoked(), receiver.ids]).toEqual([false, [sale]]);
  await service.operator.revokeToken(second);
  expect(await isRevoked()).toBe(true);
  // A webhook that a command has resumed depends on no token.
  await operations().resume(id);
  expect(await isRevoked()).toBe(false);
});

test('a process that starts later does not announce again that a webhook has stopped', async () => {
  const { engine } = service.database;
  const token = await newManager();
  await add({ createdBy: token });
  await service.operator.revokeToken(token);
  const read = async () => (await storedWebhooks(engine)).webhooks;
  const announced = async () => (await read())[0]?.announced;
  await expect.poll(announced, { timeout: 30_000 }).toBe(token);
  const again: string[] = [];
  const ignore = () => undefined;
  const later = new WebhookFaultLog({
    engine,
    logger: { warn: ignore, error: ignore },
    onStopped: (id) => again.push(id),
  });
  await later.revoked(await read());
  expect(again).toEqual([]);
});

test('if a webhook cannot be stored completely, there is none whose secret nobody has received', async () => {
  const createdBy = await newManager();
  for (const last of [1, 2]) {
    let inserts = 0;
    const engine = watchedEngine(service.database.engine, async (server, statement, watch) => {
      if (statement.text.includes('INSERT INTO webhook') && ++inserts === last)
        throw new Error('The disk is full.');
      await server.execute(statement, watch);
    });
    const webhooks = new LocalWebhooks({ ...service.database, engine });
    await expect(webhooks.add(wanted({ createdBy }))).rejects.toThrow('The disk is full.');
    expect(await operations().list()).toEqual([]);
  }
});

test('a change of a webhook is noticed later if the database does not answer at once', async () => {
  const id = await add();
  const { engine } = service.database;
  const [rows, execute] = [engine.rows.bind(engine), engine.execute.bind(engine)];
  let isSilent = false;
  const spies = [
    vi.spyOn(engine, 'execute').mockImplementation(async (...call) => {
      await execute(...call);
      isSilent ||= call[0].text.includes('INSERT INTO webhooks');
    }),
    vi.spyOn(engine, 'rows').mockImplementation(async (...call) => {
      if (!isSilent || !call[0].text.includes(' AS announced')) return await rows(...call);
      isSilent = false;
      throw new Error('The database is silent.');
    }),
  ];
  try {
    await operations().pause(id);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(service.log.join('')).toContain('The database is silent.');
  const paused = async () => await metric('transactions_webhooks{state="paused"}');
  await expect.poll(paused, { timeout: 30_000 }).toBe(1);
});

test('a receiver that answers 410 ends its webhook, until an operator resumes it', async () => {
  const id = await add();
  receiver.respond = (response) => response.writeHead(410).end();
  const ids = await addSales(1);
  expect(await untilState(id, ({ stopped }) => stopped !== null)).toMatchObject({
    stopped: 'receiver_gone',
  });
  expect(service.log.join()).toContain('"msg":"webhook: stopped"');
  expect(await metric('transactions_webhooks{state="stopped"}')).toBe(1);
  receiver.respond = (response) => response.writeHead(204).end();
  await delay(200);
  expect(receiver.messages).toHaveLength(1);
  await operations().resume(id);
  await receiver.until(() => receiver.messages.length === 2);
  expect(receiver.ids).toEqual(ids);
});

test('a redirect is not followed', async () => {
  let requests = 0;
  const target = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  const id = await add();
  receiver.respond = (response) => {
    const { port } = target.address() as AddressInfo;
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
  };
  expect(await operations().test(id)).toMatchObject({
    isDelivered: false,
    error: 'status 302, and redirects are not followed',
  });
  expect(requests).toBe(0);
  target.close();
});

test('a receiver that hangs holds up no other webhook', async () => {
  await add();
  receiver.respond = () => undefined;
  const other = await WebhookReceiver.start();
  other.secret = (await operations().add(wanted({ url: other.url }))).secret;
  const ids = await addSales(150);
  await other.until(() => other.ids.length === 150);
  expect(other.ids).toEqual(ids);
  expect(receiver.messages).toHaveLength(1);
  expect(await metric('transactions_webhook_lag_seconds')).toBeGreaterThan(0);
  await other.close();
});

test('a webhook delivers what its role, websites and programs may see, and nothing else', async () => {
  const admin = await WebhookReceiver.start();
  const limited = wanted({ url: admin.url, role: 'admin', publisherIds: [], programIds: [11] });
  admin.secret = (await operations().add(limited)).secret;
  await add();
  const rows = [
    { publisher_id: 101, program_id: 10 },
    { program_id: 11 },
    { type: 'impressions', program_id: 11 },
    { publisher_id: 101, program_id: 11 },
  ].map((row) => ({ ...row, transaction_id: nextId++ }));
  await addNewRows(
    service,
    rows.map((row) => fileRow(row)),
  );
  const [, own, , foreign] = rows.map((row) => row.transaction_id);
  await admin.until(() => admin.changes.length === 2);
  await receiver.until(() => receiver.changes.length === 1);
  expect(admin.ids).toEqual([own, foreign]);
  expect(receiver.ids).toEqual([own]);
  expect(admin.messages[0]?.body).toContain('remu_program');
  expect(receiver.messages[0]?.body).not.toContain('remu_program');
  await admin.close();
});

test('an erased transaction is delivered as gone', async () => {
  await add();
  const [id] = await addSales(1);
  await receiver.until(() => receiver.changes.length === 1);
  const selectors = [{ field: 'transaction_id', values: [String(id)] }] as const;
  await service.operator.erase({ selectors, mode: 'remove' });
  await receiver.until(() => receiver.changes.at(-1)?.change === 'gone');
  expect(receiver.changes.at(-1)).toEqual({ change: 'gone', type: 'sales', transaction_id: id });
});

test('a paused webhook continues after the last message, and a removed one gets nothing', async () => {
  const id = await add();
  const first = await addSales(1);
  await receiver.until(() => receiver.changes.length === 1);
  expect(await operations().pause(id)).toBe(true);
  const second = await addSales(1);
  await delay(300);
  expect(receiver.ids).toEqual(first);
  await operations().resume(id);
  await receiver.until(() => receiver.changes.length === 2);
  expect(receiver.ids).toEqual([...first, ...second]);
  expect(await operations().remove(id)).toBe(true);
  await addSales(1);
  await delay(300);
  expect(receiver.changes).toHaveLength(2);
  expect(await operations().resume(id)).toBe(false);
});

test('changes of a webhook that are made at the same time are all kept, and none undoes a removal', async () => {
  const id = await add();
  await Promise.all([operations().resume(id), operations().resume(id), operations().pause(id)]);
  const [found] = await operations().list();
  expect(found?.webhook).toMatchObject({ generation: 2, isPaused: true });
  const [isRemoved, isResumed] = await Promise.all([
    operations().remove(id),
    operations().resume(id),
  ]);
  expect([isRemoved, isResumed]).toEqual([true, false]);
  expect(await operations().list()).toEqual([]);
});

/** Webhooks of another process. Functions run before and after its first write of a definition. */
function otherProcess({
  before,
  after,
}: Readonly<Record<'before' | 'after', () => Promise<unknown>>>) {
  let writes = 0;
  const engine = watchedEngine(service.database.engine, async (server, statement, watch) => {
    const isFirst = statement.text.startsWith('INSERT INTO webhooks') && ++writes === 1;
    if (isFirst) await before();
    await server.execute(statement, watch);
    if (isFirst) await after();
  });
  return new LocalWebhooks({ ...service.database, engine });
}

const nothing = async () => undefined;

/** Stores a definition as a process does that has read it earlier. */
async function storeLate(id: string, value: string): Promise<void> {
  const newest = `SELECT max(version) FROM webhooks WHERE id = '${id}' AND value != ''`;
  const late = sql`INSERT INTO webhooks SELECT ${bind('String', id)}, (${raw(newest)}) + 1, ${bind('String', value)}`;
  await service.database.engine.execute(statementOf(late));
}

async function storedValueOf(id: string): Promise<string> {
  const row = v.object({ value: v.string() });
  const statement = plainStatement(`SELECT value FROM webhooks FINAL WHERE id = '${id}'`);
  return (await service.database.engine.rows(select(row, statement)))[0]?.value ?? '';
}

test('no process undoes a removal by another one', async () => {
  const id = await add();
  const value = await storedValueOf(id);
  const remove = async () => expect(await operations().remove(id)).toBe(true);
  expect(await otherProcess({ before: remove, after: nothing }).pause(id)).toBe(false);
  await storeLate(id, value);
  expect(await operations().list()).toEqual([]);
  expect(await operations().resume(id)).toBe(false);
});

test('of changes of a webhook that several processes make at the same time, none is lost', async () => {
  const id = await add();
  const rotate = async () => {
    receiver.secret = (await operations().rotate(id)) ?? '';
  };
  expect(await otherProcess({ before: rotate, after: nothing }).pause(id)).toBe(true);
  const paused = await storedValueOf(id);
  const replaced = async () => await storeLate(id, paused);
  expect(await otherProcess({ before: nothing, after: replaced }).resume(id)).toBe(true);
  const [found] = await operations().list();
  expect(found?.webhook).toMatchObject({ isPaused: false, generation: 1 });
  await operations().test(id);
  expect(receiver.messages).toHaveLength(1);
});

test('a webhook that cannot be read stops no other one, is logged once and can be removed', async () => {
  await service.database.engine.execute(
    plainStatement(
      `INSERT INTO webhooks VALUES ('wh_later', 1, '{"role":"later"}'), ('wh_text', 1, 'text')`,
    ),
  );
  await add();
  const ids = await addSales(1);
  await receiver.until(() => receiver.changes.length === 1);
  expect(receiver.ids).toEqual(ids);
  expect(await operations().list()).toHaveLength(1);
  const isLogged = (line: string) => line.includes('cannot read its definition');
  expect(service.log.filter(isLogged)).toHaveLength(2);
  expect(await operations().pause('wh_later')).toBe(false);
  for (const id of ['wh_later', 'wh_text']) {
    expect(await operations().remove(id)).toBe(true);
    expect(await operations().remove(id)).toBe(false);
  }
});

test('large records are delivered in messages of a megabyte', async () => {
  await add();
  const ids = await addSales(5, { subid: 'x'.repeat(400_000) });
  await receiver.until(() => receiver.changes.length === 5);
  expect(receiver.ids).toEqual(ids);
  expect(receiver.messages.map(({ data }) => data.changes?.length)).toEqual([2, 2, 1]);
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(3);
});

test('a replay delivers the changes since a time again, with new ids', async () => {
  const id = await add();
  const before = await addSales(1);
  await receiver.until(() => receiver.changes.length === 1);
  await delay(1100);
  const since = new Date();
  const ids = await addSales(2);
  await receiver.until(() => receiver.changes.length === 3);
  expect(await operations().replay(id, since)).toBe(true);
  await receiver.until(() => receiver.messages.length === 3);
  expect(receiver.ids).toEqual([...before, ...ids, ...ids]);
  await expect(operations().replay(id, new Date('2020-01-01'))).rejects.toThrow(
    /are no longer kept/,
  );
});

test('a replay skips no change that was not delivered yet, and does not begin in the future', async () => {
  const id = await add();
  await operations().pause(id);
  const ids = await addSales(2);
  await delay(10);
  expect(await operations().replay(id, new Date())).toBe(true);
  await receiver.until(() => receiver.changes.length === 2);
  expect(receiver.ids).toEqual(ids);
  await expect(operations().replay(id, new Date('2999-01-01'))).rejects.toThrow(/in the future/);
});

// `npm test` has replays of delivered and of waiting changes above.
testInFull('a mistaken replay is replaced by a later one', async () => {
  const id = await add();
  const mistaken = new Date();
  await addSales(1);
  await receiver.until(() => receiver.changes.length === 1);
  const since = new Date();
  const ids = await addSales(2);
  await receiver.until(() => receiver.changes.length === 3);
  receiver.respond = (response) => response.writeHead(500).end();
  expect(await operations().replay(id, mistaken)).toBe(true);
  await untilState(id, ({ failures }) => failures > 0);
  expect(receiver.messages.at(-1)?.data.changes).toHaveLength(3);
  const refused = receiver.messages.length;
  // The next retry is an hour away.
  expect(await operations().replay(id, since)).toBe(true);
  receiver.respond = (response) => response.writeHead(204).end();
  await receiver.until(() => receiver.messages.length > refused);
  const repeated = receiver.messages[refused]?.data.changes ?? [];
  expect(repeated.map(({ transaction }) => transaction?.transaction_id)).toEqual(ids);
});

test('after two rotations all three secrets verify messages, and the list of webhooks shows none', async () => {
  const id = await add();
  const first = receiver.secret;
  const second = (await operations().rotate(id)) ?? '';
  receiver.secret = (await operations().rotate(id)) ?? '';
  expect(new Set([first, second, receiver.secret]).size).toBe(3);
  await operations().test(id);
  const { body = '', headers } = receiver.messages[0] ?? {};
  for (const former of [first, second]) {
    const verify = () => new Webhook(former).verify(body, headers as Record<string, string>);
    expect(verify).not.toThrow();
  }
  expect(JSON.stringify(await operations().list())).not.toContain('whsec_');
});

test('a test message is sent at once, and its failure is reported', async () => {
  const id = await add();
  expect(await operations().test(id)).toMatchObject({ isDelivered: true, error: null });
  expect(receiver.messages).toMatchObject([{ type: 'webhook.test', data: { webhook_id: id } }]);
  receiver.respond = (response) => response.writeHead(503).end();
  expect(await operations().test(id)).toMatchObject({ isDelivered: false, error: 'status 503' });
  expect(await operations().test('wh_unknown')).toBeUndefined();
});

test('a webhook whose changes were dropped stops and never skips them', async () => {
  const id = await add();
  receiver.respond = (response) => response.writeHead(500).end();
  await addSales(1);
  await untilState(id, ({ failures }) => failures > 0);
  await operations().pause(id);
  await addSales(1);
  await service.database.engine.execute(
    plainStatement(
      "INSERT INTO publications SELECT max(number), 'restarted', 0, 'expired', now64(3, 'UTC') FROM publications",
    ),
  );
  await operations().resume(id);
  receiver.respond = (response) => response.writeHead(204).end();
  await untilState(id, ({ stopped }) => stopped === 'changes_expired');
  const next = new Date(Math.ceil(Date.now() / 1000) * 1000);
  await delay(next.getTime() - Date.now());
  await operations().replay(id, next);
  const ids = await addSales(1);
  await receiver.until(() => receiver.changes.length > 1);
  expect(receiver.ids.at(-1)).toBe(ids[0]);
});

test('a webhook without changes stores its position after a day, however little the feed has moved', async () => {
  const id = await add();
  await operations().pause(id);
  await addSales(1, { publisher_id: 101 });
  const { engine } = service.database;
  const read = async () => (await storedWebhooks(engine)).webhooks.find((one) => one.id === id);
  const begin = (await read())?.webhook.start.position.number ?? 0;
  vi.setSystemTime(Date.now() + 25 * 3_600_000);
  try {
    await operations().resume(id);
    const stored = async () => (await read())?.progress?.position.number;
    await expect.poll(stored).toBeGreaterThan(begin);
  } finally {
    vi.useRealTimers();
  }
});

test('neither the log nor the audit log has a secret, or the path of a URL', async () => {
  const lines = await Array.fromAsync(service.auditedOperator.auditLines({ since: 0 }));
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(
    expect.arrayContaining(['webhook_added', 'webhook_changed', 'webhook_stopped']),
  );
  for (const secret of ['whsec_', 'secret-path']) {
    expect(lines.join()).not.toContain(secret);
    expect(service.log.join()).not.toContain(secret);
  }
});

async function metric(name: string): Promise<number | undefined> {
  const { body } = await service.monitoringServer.inject('/metrics');
  const line = body.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}
