/** The position in the feed from which a replay delivers. */

import type { FeedHead } from '../../plan/changes/publication-statements.ts';
import { isExpired, type PublicationLog } from '../../reading/changes/publication-log.ts';
import type { Position } from '../webhook.ts';
import { WebhookRefused } from './webhook-refused.ts';

/** The last import before an instant. Throws if it is to come, or if the changes since then are not kept. */
export async function positionSince(
  id: string,
  since: Date,
  { origin, newest, restarted }: FeedHead,
  publications: PublicationLog,
): Promise<Position> {
  if (since.getTime() > Date.now()) {
    throw new WebhookRefused(
      'since',
      `The time ${since.toISOString()} is in the future.`,
      `Continue where the webhook has ended: transactions webhook resume ${id}`,
    );
  }
  const found = await publications.numberAt(Math.max(0, since.getTime()));
  if (found !== undefined && found >= restarted) return { origin, number: Math.min(found, newest) };
  // The next whole second after the first number that is kept.
  const first = wholeSecond(Math.ceil(restarted / 1_000_000));
  throw new WebhookRefused(
    'since',
    `Changes from before ${first} are not kept. Read the lists for what is missing.`,
    `Deliver all that are kept: transactions webhook replay ${id} --since ${first}`,
  );
}

const wholeSecond = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** Changes that are kept and were not delivered yet are never skipped. */
export const replayFrom = (wanted: Position, reached: Position, head: FeedHead): Position =>
  !isExpired(reached, head) && reached.number < wanted.number ? reached : wanted;
