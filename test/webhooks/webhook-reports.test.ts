import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { Statement } from '../../src/plan/sql.ts';
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

const stored = (id: string, { isRevoked = true, isPaused = false, announced = '' } = {}) => ({
  id,
  webhook: { ...WEBHOOK, isPaused },
  definition: { version: 1, value: '' },
  progress: undefined,
  isRevoked,
  announced,
});

function startReports() {
  const stopped: string[] = [];
  const logged: unknown[] = [];
  const log = (details: unknown) => logged.push(details);
  /** The ids of the rows that were stored. */
  const rows: unknown[] = [];
  const database = { isSilent: false };
  const execute = async ({ values }: Statement) => {
    if (database.isSilent) throw new Error('The database is silent.');
    rows.push(Object.values(values)[0]);
  };
  const reports = new WebhookFaultLog({
    engine: { execute } as unknown as Engine,
    logger: { warn: log, error: log },
    onStopped: (id, reason) => stopped.push(`${id} ${reason}`),
  });
  return { reports, stopped, logged, rows, database };
}

test('a webhook of a revoked token is reported once, also if this process never delivered it', async () => {
  const { reports, stopped, logged } = startReports();
  await reports.revoked([stored('wh_1'), stored('wh_2', { isRevoked: false })]);
  await reports.revoked([stored('wh_1'), stored('wh_2', { isRevoked: false })]);
  expect(stopped).toEqual(['wh_1 creator_revoked']);
  expect(logged).toEqual([
    { webhook: 'wh_1', host: 'receiver.example', reason: 'creator_revoked' },
  ]);
});

test('a webhook is reported again after it was resumed and its new token is revoked', async () => {
  const { reports, stopped } = startReports();
  for (const isRevoked of [true, false, true])
    await reports.revoked([stored('wh_1', { isRevoked })]);
  expect(stopped).toHaveLength(2);
  await reports.revoked([stored('wh_2', { announced: 'former token' })]);
  expect(stopped).toHaveLength(3);
});

test('a webhook that an earlier process has reported is not reported again', async () => {
  const { reports, stopped } = startReports();
  await reports.revoked([stored('wh_1', { announced: 'token-1' })]);
  expect(stopped).toEqual([]);
});

test('if the database does not answer, a webhook is reported once, and that is stored later', async () => {
  const { reports, stopped, rows, database } = startReports();
  database.isSilent = true;
  await expect(reports.revoked([stored('wh_1')])).rejects.toThrow('The database is silent.');
  database.isSilent = false;
  await reports.revoked([stored('wh_1')]);
  expect([stopped, rows]).toEqual([['wh_1 creator_revoked'], ['announced/wh_1']]);
});

test('webhooks that were paused or stopped before the revocation are not reported', async () => {
  const { reports, stopped } = startReports();
  const progress = { ...presentProgress(WEBHOOK, undefined), stopped: 'failing' as const };
  await reports.revoked([stored('wh_1', { isPaused: true }), { ...stored('wh_2'), progress }]);
  expect(stopped).toEqual([]);
});

test('a webhook that cannot be read is logged once', () => {
  const { reports, logged } = startReports();
  const unreadable = [{ id: 'wh_1', createdBy: undefined }];
  reports.unreadable(unreadable);
  reports.unreadable(unreadable);
  expect(logged).toEqual([{ webhook: 'wh_1' }]);
});
