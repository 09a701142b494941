import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedMessage } from '../../src/webhooks/sending/sign-message.ts';
import {
  messageId,
  rotatedSecret,
  type SecretState,
  signingSecrets,
  webhookSecret,
} from '../../src/webhooks/sending/webhook-secret.ts';

const KEY = Buffer.alloc(32, 7);
const ID = 'wh_one';
const MESSAGE = {
  id: 'msg_1',
  body: Buffer.from('{"type":"webhook.test","data":{"text":"é\\n"}}'),
};

test('the library of Standard Webhooks verifies our signatures, and no changed body or header', () => {
  const secret = webhookSecret(KEY, ID, 0);
  const now = Date.now();
  const { headers, body } = signedMessage(MESSAGE, [secret], now);
  const webhook = new Webhook(secret);
  expect(webhook.verify(String(body), { ...headers })).toMatchObject({ type: 'webhook.test' });
  expect(() => webhook.verify(`${body} `, { ...headers })).toThrow();
  for (const [name, value] of [
    ['webhook-id', 'msg_2'],
    ['webhook-timestamp', String(Math.floor(now / 1000) - 1)],
  ] as const) {
    expect(() => webhook.verify(String(body), { ...headers, [name]: value })).toThrow();
  }
  const other = new Webhook(webhookSecret(KEY, 'wh_two', 0));
  expect(() => other.verify(String(body), { ...headers })).toThrow();
});

test('a secret has 256 bits, and differs by key, webhook and rotation', () => {
  const secrets = [
    webhookSecret(KEY, ID, 0),
    webhookSecret(KEY, ID, 1),
    webhookSecret(KEY, 'wh_two', 0),
    webhookSecret(Buffer.alloc(32, 8), ID, 0),
  ];
  expect(new Set(secrets).size).toBe(4);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('for a day after a rotation, the former secret signs too', () => {
  const rotatedAt = '2026-01-01T00:00:00.000Z';
  const secrets = (hours: number) =>
    signingSecrets(KEY, ID, { rotation: 2, rotatedAt }, Date.parse(rotatedAt) + hours * 3_600_000);
  expect(secrets(23.9)).toEqual([webhookSecret(KEY, ID, 2), webhookSecret(KEY, ID, 1)]);
  expect(secrets(24)).toEqual([webhookSecret(KEY, ID, 2)]);
  const { headers, body } = signedMessage(MESSAGE, secrets(1), Date.now());
  for (const secret of secrets(1)) {
    expect(() => new Webhook(secret).verify(String(body), { ...headers })).not.toThrow();
  }
});

test('each former secret signs until a day after its own replacement, and at most four secrets sign', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const after = (hours: number) => start + hours * 3_600_000;
  const unrotated: SecretState = { rotation: 0, rotatedAt: null };
  const rotatedAfter = (...hours: readonly number[]) =>
    hours.reduce((state, hour) => rotatedSecret(state, after(hour)), unrotated);
  const rotationsOf = (state: SecretState, hours: number) =>
    signingSecrets(KEY, ID, state, after(hours)).map((secret) =>
      [0, 1, 2, 3, 4, 5].find((rotation) => webhookSecret(KEY, ID, rotation) === secret),
    );
  const twice = rotatedAfter(0, 10);
  expect(rotationsOf(twice, 11)).toEqual([2, 1, 0]);
  expect(rotationsOf(twice, 24)).toEqual([2, 1]);
  expect(rotationsOf(twice, 34)).toEqual([2]);
  expect(rotatedAfter(0, 10, 24).earlier).toHaveLength(1);
  expect(rotationsOf(rotatedAfter(0, 1, 2, 3, 4), 5)).toEqual([5, 4, 3, 2]);
});

test('the id of a message depends on the webhook and the position only', () => {
  const position = [0, 1, 2, 0, 0, 0, 0];
  const id = messageId(KEY, ID, position);
  expect(id).toMatch(/^msg_[\w-]{32}$/);
  expect(messageId(KEY, ID, position)).toBe(id);
  expect(messageId(KEY, 'wh_two', position)).not.toBe(id);
  expect(messageId(KEY, ID, [1, ...position.slice(1)])).not.toBe(id);
});
