/** The position in the feed from which a replay delivers. */

import type { FeedHead } from '../../plan/changes/publication-statements.ts';
import { isExpired, type PublicationLog } from '../../reading/changes/publication-log.ts';
import type { OriginPosition, Webhook } from '../webhook.ts';
import { WebhookRefused } from './webhook-refused.ts';

/**
 * The position of the last import before `since`. Throws if `since` is in the future, or if changes after it are
 * not kept.
 */
export async function positionSince(
  id: string,
  since: Date,
  { origin, newest, restarted }: FeedHead,
  publications: PublicationLog,
): Promise<OriginPosition> {
  // The error below proposes a time that is rounded up, so it may be up to a second in the future.
  if (since.getTime() > Date.now() + 1000) {
    throw new WebhookRefused(
      'since',
      `The time ${since.toISOString()} is in the future.`,
      `Continue where deliveries stopped: transactions webhook resume ${id}`,
    );
  }
  const found = await publications.numberAt(Math.max(0, since.getTime()));
  if (found !== undefined && found >= restarted) return { origin, number: Math.min(found, newest) };
  // Numbers are times in microseconds. Rounded up to a second, so that all changes since then are kept.
  const first = wholeSecond(Math.ceil(restarted / 1_000_000));
  throw new WebhookRefused(
    'since',
    `Changes before ${first} are no longer kept. Read the lists to get the missing transactions.`,
    `Deliver all that are kept: transactions webhook replay ${id} --since ${first}`,
  );
}

const wholeSecond = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/**
 * Where a replay begins: at `wanted`, or at the first change that was never delivered if that is earlier. What
 * was delivered before the last replay counts as delivered. So a new replay can skip the rest of a mistaken one.
 */
export function replayStart(
  wanted: OriginPosition,
  reached: OriginPosition,
  { start }: Webhook,
  head: FeedHead,
): Pick<Webhook['start'], 'position' | 'delivered'> {
  const known = [reached, ...(start.delivered === undefined ? [] : [start.delivered])];
  const delivered = known
    .filter((position) => !isExpired(position, head))
    .sort((one, other) => other.number - one.number)[0];
  if (delivered === undefined) return { position: wanted };
  return { position: delivered.number < wanted.number ? delivered : wanted, delivered };
}
