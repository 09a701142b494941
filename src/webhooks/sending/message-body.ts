/** Bodies of messages, as JSON. */

import type { Change } from '../../reading/changes/change-page.ts';
import { changesBody } from '../../reading/changes/changes-body.ts';

/** The changes are written like a page of the feed. */
export function changesMessageBody(changes: readonly Change[]): Buffer {
  const head = { type: 'transactions.changed', timestamp: timeOf(changes.at(-1)).toISOString() };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":{"changes":`),
    changesBody(changes, 'json'),
    Buffer.from('}}\n'),
  ]);
}

export const testMessageBody = (webhookId: string, now: Date): Buffer =>
  Buffer.from(
    `${JSON.stringify({
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: { webhook_id: webhookId },
    })}\n`,
  );

/** When the import of a change began: the number of its batch is this time in microseconds. */
export const timeOf = (change: Pick<Change, 'batch'> | undefined): Date =>
  new Date(Math.floor((change?.batch ?? 0) / 1000));
