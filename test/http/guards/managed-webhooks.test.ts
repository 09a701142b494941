import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problems/problems.ts';
import type {
  ManagedWebhook,
  WebhookWithSecret,
} from '../../../src/contract/webhooks/managed-webhook.ts';
import {
  REPLAY_PARAMETERS,
  WEBHOOK_PARAMETERS,
} from '../../../src/contract/webhooks/webhook-parameters.ts';
import type { WebhookManager } from '../../../src/webhooks/operations/webhook-operations.ts';
import { FEW_INJECTIONS, INJECTIONS } from '../../support/attacks/attacks.ts';
import { pathOf, WRITING } from '../../support/attacks/guarded-operations.ts';
import { auditLines, lineOf } from '../../support/requests/audit-lines.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.ts';

const PATH = '/api/admin/webhooks';

/** A URL at which nothing answers. */
const NOWHERE = 'https://127.0.0.1:1/hook';
const WEBSITE = `url=${encodeURIComponent(NOWHERE)}&role=affiliate&publisher_id=100`;

/** Tokens that manage webhooks: without limits, limited to two programs, and expiring soon. */
const managers = { all: '', ofPrograms: '', untilSoon: '' };
const admin = { role: 'admin', mayManageTokens: true } as const;
let service: TestService;
let receiver: WebhookReceiver;
/** Runs after the checks of a request and before its change. */
let beforeChange: () => Promise<void> = async () => undefined;

const changedLate = (webhooks: WebhookManager): WebhookManager =>
  new Proxy(webhooks, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name, target);
      if (typeof operation !== 'function') return operation;
      return async (...args: readonly unknown[]) => {
        if (name !== 'list') await beforeChange();
        return await Reflect.apply(operation, target, args);
      };
    },
  });

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  service = await startService({
    webhookNetworks: ['127.0.0.1'],
    parts: (parts) => ({ ...parts, webhooks: changedLate(parts.webhooks) }),
    verifyJwt: async (jwt) => {
      if (!jwt.startsWith('admin.')) throw new Problem('token_invalid');
      return { id: 'someone', role: 'admin', publisherIds: 'all', programIds: 'all' };
    },
  });
  managers.all = await service.token({ ...admin, name: 'Manager' });
  managers.ofPrograms = await service.token({ ...admin, programIds: [10, 11] });
  const expiresAt = new Date(Date.now() + 3_600_000);
  managers.untilSoon = await service.token({ ...admin, expiresAt });
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const request = async (method: string, target: string, token = managers.all) =>
  await send(service.url, { method, target, headers: [`Authorization: Bearer ${token}`] });

const post = async (query: string, token = managers.all) =>
  await request('POST', `${PATH}?${query}`, token);

const read = <Body>({ status, body }: RawAnswer, expected = 200): Body => {
  expect([status, body]).toEqual([expected, expect.any(String)]);
  return JSON.parse(body);
};

const added = async (query: string, token = managers.all): Promise<WebhookWithSecret> =>
  read(await post(query, token), 201);

const listed = async (token = managers.all): Promise<readonly ManagedWebhook[]> =>
  read(await request('GET', PATH, token));

const stateOf = async (id: string) => (await listed()).find((one) => one.id === id)?.state;

test('the webhook of a revoked token is resumed only by a token that may add it', async () => {
  const rights = { ...admin, publisherIds: [], programIds: [] };
  const { token, record } = await service.operator.createToken(rights);
  const { id } = await added(WEBSITE, token);
  await service.operator.revokeToken(record.id);
  expect(await stateOf(id)).toBe('creator_revoked');
  const resume = async (by?: string) => await request('PATCH', `${PATH}/${id}?paused=false`, by);
  const replay = `${PATH}/${id}/replay?since=${new Date().toISOString()}`;
  const pause = async (by?: string) => await request('PATCH', `${PATH}/${id}?paused=true`, by);
  for (const refused of [
    await resume(managers.untilSoon),
    await pause(managers.untilSoon),
    await request('POST', replay, managers.untilSoon),
  ]) {
    expectProblem(refused, 'token_too_wide');
  }
  expect(await stateOf(id)).toBe('creator_revoked');
  // The pause makes the webhook depend on the token without limits. So a token that expires may resume it.
  expect(read<ManagedWebhook>(await pause()).state).toBe('paused');
  expect(read<ManagedWebhook>(await resume(managers.untilSoon)).state).toBe('active');
  read(await request('DELETE', `${PATH}/${id}`));
});

test('a webhook whose token is revoked during a request is not taken over without the rights to add it', async () => {
  const rights = { ...admin, publisherIds: [], programIds: [] };
  for (const operation of ['resume', 'pause', 'replay'] as const) {
    const { token, record } = await service.operator.createToken(rights);
    const { id } = await added(WEBSITE, token);
    beforeChange = async () => void (await service.operator.revokeToken(record.id));
    const refused =
      operation === 'replay'
        ? await request(
            'POST',
            `${PATH}/${id}/replay?since=${new Date().toISOString()}`,
            managers.untilSoon,
          )
        : await request(
            'PATCH',
            `${PATH}/${id}?paused=${operation === 'pause'}`,
            managers.untilSoon,
          );
    beforeChange = async () => undefined;
    expectProblem(refused, 'token_too_wide');
    expect(await stateOf(id)).toBe('creator_revoked');
    read(await request('DELETE', `${PATH}/${id}`));
  }
});

test('a webhook is added, tested, delivers, is paused, resumed, rotated, replayed and removed', async () => {
  const url = encodeURIComponent(receiver.url);
  const query = `url=${url}&role=affiliate&publisher_id=100&type=sales,leads&locale=fr&name=Data`;
  const { secret, ...webhook } = await added(query);
  receiver.secret = secret;
  expect(webhook).toMatchObject({
    url: receiver.url,
    role: 'affiliate',
    publisher_ids: [100],
    program_ids: 'all',
    types: ['leads', 'sales'],
    state: 'active',
    delivered_at: null,
  });
  const { id } = webhook;
  const early = await request('POST', `${PATH}/${id}/replay?since=2000-01-01`);
  expectProblem(early, 'invalid_parameters');
  const detail: string = JSON.parse(early.body).errors[0].detail;
  expect(detail).toContain('Read the lists to get the missing transactions.');
  const first = /before (\S+) are/.exec(detail)?.[1] ?? '';
  // Only what is imported after this time can be replayed.
  await delay(Math.max(0, Date.parse(first) - Date.now()));
  const change = async (paused: boolean) =>
    read<ManagedWebhook>(await request('PATCH', `${PATH}/${id}?paused=${paused}`));
  expect(read(await request('POST', `${PATH}/${id}/test`))).toMatchObject({
    id,
    delivered: true,
    error: null,
  });
  expect((await change(true)).state).toBe('paused');
  await service.importText(ndjson([fileRow({ transaction_id: 1, publisher_id: 100 })]));
  expect((await change(false)).state).toBe('active');
  await receiver.until(() => receiver.changes.length === 1);
  await expect.poll(async () => (await listed())[0]?.delivered_at).not.toBeNull();
  const rotated = read<WebhookWithSecret>(await request('POST', `${PATH}/${id}/rotation`));
  expect(rotated.secret).not.toBe(secret);
  receiver.secret = rotated.secret;
  const replayed = receiver.messages.length + 1;
  read(await request('POST', `${PATH}/${id}/replay?since=${first}`));
  await receiver.until(() => receiver.messages.length >= replayed);
  expect(read(await request('DELETE', `${PATH}/${id}`))).toEqual({ id, removed: true });
  expectProblem(await request('DELETE', `${PATH}/${id}`), 'webhook_not_found');
  expect(receiver.forged).toEqual([]);
  const lists = await request('GET', PATH);
  for (const text of [lists.text, service.log.join('')]) expect(text).not.toContain('whsec_');
  const lines = (await auditLines(service)).filter(({ details }) => details.webhook_id === id);
  expect(lines.map(({ event, details }) => details.change ?? event)).toEqual([
    'webhook_added',
    'tested',
    'paused',
    'resumed',
    'rotated',
    'replayed',
    'removed',
  ]);
  for (const line of lines)
    expect(line).toMatchObject({ name: 'Manager', details: { user: null } });
  expect(JSON.stringify(lines)).not.toContain('secret-path');
});

test('concurrent tests of a webhook send one message, and report its failure', async () => {
  const { id } = await added(WEBSITE);
  const error = expect.stringMatching(/^ECONN[A-Z]+$/);
  const answer = await request('POST', `${PATH}/${id}/test`);
  expect(read(answer)).toMatchObject({ id, delivered: false, error });
  const { webhooks } = service.operator;
  const [one, other] = await Promise.all([webhooks.test(id), webhooks.test(id)]);
  expect(one).toMatchObject({ isDelivered: false, error });
  expect(other).toBe(one);
});

describe('a token that is limited to programs', () => {
  test.each(['', '&program_id=12', '&program_id=10,12'])(
    'adds no webhook with more rights: %s',
    async (more) => {
      expectProblem(await post(WEBSITE + more, managers.ofPrograms), 'token_too_wide');
    },
  );

  test('sees and changes only webhooks within its programs', async () => {
    const own = await added(`${WEBSITE}&program_id=11`, managers.ofPrograms);
    const wider = await added(`${WEBSITE}&program_id=11,12`);
    const ids = (await listed(managers.ofPrograms)).map(({ id }) => id);
    expect(ids).toContain(own.id);
    expect(ids).not.toContain(wider.id);
    for (const { method = '', path, parameters } of WRITING) {
      if (!path.startsWith(`${PATH}/{id}`)) continue;
      const query = Object.entries(parameters).map(([name, { example }]) => `${name}=${example}`);
      const target = `${path.replace('{id}', wider.id)}?${query.join('&')}`;
      const answer = await request(method.toUpperCase(), target, managers.ofPrograms);
      expectProblem(answer, 'webhook_not_found');
    }
    expect(await stateOf(wider.id)).toBe('active');
    read(await request('DELETE', `${PATH}/${own.id}`, managers.ofPrograms));
  });
});

test('a token that expires adds no webhook, which would outlive it, but manages others', async () => {
  const refused = await post(WEBSITE, managers.untilSoon);
  expectProblem(refused, 'token_too_wide');
  expect(refused.body).toContain('A webhook does not expire, but your own token does');
  const { id } = await added(WEBSITE);
  read(await request('PATCH', `${PATH}/${id}?paused=true`, managers.untilSoon));
  expect(await stateOf(id)).toBe('paused');
});

test.each([
  ['http://127.0.0.2/', 'Without encryption'],
  ['https://10.0.0.1/', 'is not public'],
  ['https://169.254.169.254/latest/meta-data/', 'is not public'],
  ['https://[::1]/', 'is not public'],
  ['https://2130706434/', 'is not public'],
  ['https://user:pass@example.com/', 'no user name'],
  ['https://example.com/#x', 'no user name'],
  ['ftp://example.com/', 'needs a URL'],
  ['nonsense', 'needs a URL'],
  [`https://example.com/${'x'.repeat(2000)}`, 'needs a URL'],
])('the URL %s is refused with the same reason as by the command', async (url, says) => {
  const query = `url=${encodeURIComponent(url)}&role=admin`;
  const answer = await post(query);
  expectProblem(answer, 'invalid_parameters');
  const [fault] = JSON.parse(answer.body).errors;
  expect(fault).toMatchObject({ parameter: 'url', code: 'invalid' });
  expect(fault.detail).toContain(says);
  const wanted = { url, role: 'admin', publisherIds: [], programIds: [] } as const;
  const command = service.operator.webhooks.add({
    ...wanted,
    types: ['sales'],
    locale: null,
    name: null,
  });
  await expect(command).rejects.toThrow(fault.detail);
});

test.each([
  ['role=admin', 'url', 'missing'],
  [`${WEBSITE}&type=clicks`, 'type', 'invalid'],
  [WEBSITE.replace('&publisher_id=100', ''), 'publisher_id', 'missing'],
  [`${WEBSITE}&secret=whsec_x`, 'secret', 'unknown'],
  [`${WEBSITE}&id=wh_1`, 'id', 'unknown'],
])('the refusal of the query %s names the wrong parameter', async (query, parameter, code) => {
  const answer = await post(query);
  expectProblem(answer, 'invalid_parameters');
  expect(JSON.parse(answer.body).errors).toMatchObject([{ parameter, code }]);
});

test('a webhook cannot be paused with another word than true or false', async () => {
  const { id } = await added(WEBSITE);
  for (const text of ['yes', '1', '', 'true,false']) {
    expectProblem(await request('PATCH', `${PATH}/${id}?paused=${text}`), 'invalid_parameters');
  }
  expect(await stateOf(id)).toBe('active');
});

test.each(['nothing', '%00', "'", 'x'.repeat(90)])('no webhook has the id %s', async (id) => {
  expectProblem(await request('PATCH', `${PATH}/${id}?paused=true`), 'webhook_not_found');
  for (const action of ['rotation', 'test'])
    expectProblem(await request('POST', `${PATH}/${id}/${action}`), 'webhook_not_found');
});

test('listing webhooks also needs the right to manage tokens', async () => {
  for (const token of [await service.token({ role: 'admin' }), 'admin.b.c'])
    expectProblem(await request('GET', PATH, token), 'token_management_forbidden');
  const affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
  expectProblem(await request('GET', PATH, affiliate), 'wrong_role');
});

test('a revoked token manages nothing from the moment of its revocation', async () => {
  const order = { ...admin, publisherIds: [], programIds: [] };
  const { token, record } = await service.operator.createToken(order);
  await listed(token);
  await service.operator.revokeToken(record.id);
  expectProblem(await post(WEBSITE, token), 'token_revoked');
});

test('no value of a parameter breaks the service or a later list', async () => {
  const { id } = await added(WEBSITE);
  const count = (await listed()).length;
  let isAdded = 0;
  for (const [at, text] of fullOrShort(INJECTIONS, FEW_INJECTIONS).entries()) {
    // In `npm test`, each text is sent in a part of the parameters, in turn.
    for (const name of everyNth(Object.keys(WEBHOOK_PARAMETERS), 3, at)) {
      const query = new URLSearchParams(WEBSITE);
      query.set(name, text);
      const answer = await post(query.toString());
      expect([201, 400]).toContain(answer.status);
      if (answer.status === 201) isAdded += 1;
    }
    const since = encodeURIComponent(text);
    expectProblem(
      await request('POST', `${PATH}/${id}/replay?since=${since}`),
      'invalid_parameters',
    );
  }
  for (const since of ['0000-01-01', '9999-12-31', REPLAY_PARAMETERS.since.example])
    expect([200, 400]).toContain(
      (await request('POST', `${PATH}/${id}/replay?since=${since}`)).status,
    );
  expect(await listed()).toHaveLength(count + isAdded);
});

test('requests about webhooks have lines in the log without their query', async () => {
  const answer = await post(`${WEBSITE}&name=Confidential`);
  const line = await lineInLog(answer);
  expect(JSON.parse(line)).toMatchObject({ method: 'POST', route: PATH, status: 201 });
  expect(line).not.toContain('Confidential');
  const refused = await post('role=admin', await service.token({ role: 'admin' }));
  expect(await lineOf(service, refused.headers.get('x-request-id') ?? '?')).toMatchObject({
    event: 'access_refused',
    details: { route: PATH, code: 'token_management_forbidden' },
  });
});

const lineInLog = async ({ headers }: RawAnswer): Promise<string> => {
  const id = headers.get('x-request-id') ?? '?';
  const found = () => service.log.find((text) => text.includes(id));
  await expect.poll(found).toBeDefined();
  return found() ?? '';
};

test('the tests of access cover all six writing operations on webhooks', () => {
  const paths = WRITING.map(pathOf).filter((path) => path.startsWith(PATH));
  expect(paths).toHaveLength(6);
});
