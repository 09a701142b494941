import { expect, test } from 'vitest';
import { DELIVERY_DELAYS } from '../../src/webhooks/delivery-delays.ts';
import {
  outcomeOf,
  type Progress,
  presentProgress,
  progressAfter,
} from '../../src/webhooks/progress.ts';
import { GIVE_UP_AFTER, retryDelay } from '../../src/webhooks/retry-schedule.ts';
import type { OriginPosition, Webhook } from '../../src/webhooks/webhook.ts';

const at = (number: number): OriginPosition => ({ origin: 1, number });

const WEBHOOK: Webhook = {
  url: 'https://example.com/',
  role: 'affiliate',
  publisherIds: [100],
  programIds: [],
  types: ['sales'],
  locale: null,
  name: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  isPaused: false,
  generation: 0,
  start: { generation: 0, position: at(10) },
  secret: { rotation: 0, rotatedAt: null },
};

const FRESH = presentProgress(WEBHOOK, undefined);

const failed = { result: 'failed', error: 'status 500' } as const;

test('the progress of a new webhook begins at the position in its `start`', () => {
  expect(FRESH).toMatchObject({ position: at(10), failures: 0, stopped: null, generation: 0 });
});

test('the delays of retries grow to half a day, with a random part', () => {
  const delays = Array.from({ length: 9 }, (_, failures) => retryDelay(failures + 1, 0) / 1000);
  expect(delays).toEqual([5, 20, 80, 320, 1280, 5120, 20_480, 43_200, 43_200]);
  expect(retryDelay(1, 0.999_999)).toBeGreaterThan(3750);
  for (let run = 0; run < 100; run += 1) {
    expect(retryDelay(3)).toBeGreaterThan(60_000);
    expect(retryDelay(3)).toBeLessThanOrEqual(80_000);
  }
});

test.each([0, 0.5, 0.999_999])(
  'a webhook whose message fails is stopped after exactly three days, with jitter %d',
  (jitter) => {
    let progress: Progress = FRESH;
    let now = 1_000_000;
    while (progress.stopped === null) {
      progress = progressAfter(failed, progress, at(20), now, (failures) =>
        retryDelay(failures, jitter),
      );
      expect(progress.position).toEqual(at(10));
      now = progress.retryAt ?? now;
    }
    expect(progress).toMatchObject({ stopped: 'failing', error: 'status 500', retryAt: null });
    expect(progress.failures).toBeGreaterThan(10);
    expect(now - 1_000_000).toBe(GIVE_UP_AFTER);
  },
);

test('definitions are read often enough to stop webhooks of a revoked token within five seconds', () => {
  // Two seconds are left for the statements.
  expect(DELIVERY_DELAYS.interval).toBeLessThanOrEqual(3000);
});

test('a delivery resets the failures and moves the position', () => {
  const before = progressAfter(failed, FRESH, at(20), 1000);
  const after = progressAfter({ result: 'delivered' }, before, at(20), 2000);
  expect(after).toMatchObject({ position: at(20), failures: 0, failingSince: null, error: null });
  expect(after).toMatchObject({ retryAt: null, deliveredAt: 2000 });
});

test('a resumption continues at the position, without failures; a replay begins at its own position', () => {
  const stopped = progressAfter({ result: 'gone' }, { ...FRESH, position: at(15) }, at(20), 1000);
  expect(stopped).toMatchObject({ stopped: 'receiver_gone', position: at(15) });
  expect(presentProgress(WEBHOOK, stopped)).toEqual(stopped);
  const resumed = { ...WEBHOOK, generation: 1 };
  expect(presentProgress(resumed, stopped)).toMatchObject({ stopped: null, position: at(15) });
  const replayed = { ...resumed, generation: 2, start: { generation: 2, position: at(3) } };
  expect(presentProgress(replayed, stopped)).toMatchObject({ generation: 2, position: at(3) });
  const moved = { ...presentProgress(replayed, stopped), position: at(30) };
  expect(presentProgress({ ...replayed, generation: 3 }, moved)).toMatchObject({
    position: at(30),
  });
});

test.each([
  [200, { result: 'delivered' }],
  [204, { result: 'delivered' }],
  [410, { result: 'gone' }],
  [302, { result: 'failed', error: 'status 302, and redirects are not followed' }],
  [404, { result: 'failed', error: 'status 404' }],
  [500, { result: 'failed', error: 'status 500' }],
  [0, { result: 'failed', error: 'status 0' }],
])('the status %i has the outcome %o', (status, outcome) => {
  expect(outcomeOf(status)).toEqual(outcome);
});
