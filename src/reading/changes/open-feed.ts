/** Opens the change feed: everything that follows it shares one watch. */

import type { Reader } from '../../engine/engine.ts';
import { ChangeWaiters } from './change-waiters.ts';
import { PublicationLog } from './publication-log.ts';

export function openFeed(reader: Reader) {
  const publications = new PublicationLog(reader);
  return { publications, waiters: new ChangeWaiters(publications) };
}
