import { expect, test } from 'vitest';
import { presentProgress } from '../../src/webhooks/progress.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import { WebhookFaultLog } from '../../src/webhooks/webhook-fault-log.ts';

const WEBHOOK: Webhook = {
  url: 'https://receiver.example/hook',
  role: 'admin',
  publisherIds: [],
  programIds: [],
  types: ['sales'],
  locale: null,
  name: null,
  createdBy: 'token-1',
  createdAt: '2026-01-15T12:00:00Z',
  isPaused: false,
  generation: 1,
  start: { generation: 1, position: { origin: 1, number: 1 } },
  secret: { rotation: 0, rotatedAt: null },
};

const stored = (id: string, { isRevoked = true, isPaused = false } = {}) => ({
  id,
  webhook: { ...WEBHOOK, isPaused },
  progress: undefined,
  isRevoked,
});

function startReports() {
  const stopped: string[] = [];
  const logged: unknown[] = [];
  const log = (details: unknown) => logged.push(details);
  const reports = new WebhookFaultLog({
    logger: { warn: log, error: log },
    onStopped: (id, reason) => stopped.push(`${id} ${reason}`),
  });
  return { reports, stopped, logged };
}

test('a webhook of a revoked token is reported once, also if this process never delivered it', () => {
  const { reports, stopped, logged } = startReports();
  reports.revoked([stored('wh_1'), stored('wh_2', { isRevoked: false })]);
  reports.revoked([stored('wh_1'), stored('wh_2', { isRevoked: false })]);
  expect(stopped).toEqual(['wh_1 creator_revoked']);
  expect(logged).toEqual([
    { webhook: 'wh_1', host: 'receiver.example', reason: 'creator_revoked' },
  ]);
});

test('a webhook is reported again after it was resumed and its new token is revoked', () => {
  const { reports, stopped } = startReports();
  for (const isRevoked of [true, false, true]) reports.revoked([stored('wh_1', { isRevoked })]);
  expect(stopped).toHaveLength(2);
});

test('webhooks that were paused or stopped before the revocation are not reported', () => {
  const { reports, stopped } = startReports();
  const progress = { ...presentProgress(WEBHOOK, undefined), stopped: 'failing' as const };
  reports.revoked([stored('wh_1', { isPaused: true }), { ...stored('wh_2'), progress }]);
  expect(stopped).toEqual([]);
});

test('a webhook that cannot be read is logged once', () => {
  const { reports, logged } = startReports();
  const unreadable = [{ id: 'wh_1', createdBy: undefined }];
  reports.unreadable(unreadable);
  reports.unreadable(unreadable);
  expect(logged).toEqual([{ webhook: 'wh_1' }]);
});
