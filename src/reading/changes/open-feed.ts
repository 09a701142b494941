/** Opens the change feed, whose readers all share one log of publications and one watch for new ones. */

import type { Reader } from '../../engine/engine.ts';
import { ChangeWaiters } from './change-waiters.ts';
import { PublicationLog } from './publication-log.ts';

export function openFeed(reader: Reader) {
  const publications = new PublicationLog(reader);
  return { publications, waiters: new ChangeWaiters(publications) };
}
