/** Opens the limits that the settings ask for. */

import { createHmac } from 'node:crypto';
import { countedRequests } from './counted-requests.ts';
import type { Limits } from './limits.ts';
import { OwnDownloads } from './own-downloads.ts';
import { type OutageLog, openRedis } from './redis-link.ts';
import { SharedDownloads } from './shared-downloads.ts';

export interface LimitSettings {
  /** 0: no limit. */
  readonly requestsPerMinute: number;
  /** 0: no limit. */
  readonly concurrentDownloads: number;
  /** Without it, each process counts for itself. */
  readonly redisUrl: string | undefined;
}

export interface OpenLimits extends Limits {
  close(): void;
}

/** The database's key is known to all of its processes, and tells them from those of another in the same Redis. */
export function openLimits(
  settings: LimitSettings,
  log: OutageLog,
  databaseKey: Buffer,
): OpenLimits {
  const { requestsPerMinute, concurrentDownloads, redisUrl } = settings;
  const isOff = requestsPerMinute === 0 && concurrentDownloads === 0;
  const redis =
    redisUrl === undefined || isOff ? undefined : openRedis(redisUrl, log, nameOf(databaseKey));
  const shared =
    redis === undefined || concurrentDownloads === 0
      ? undefined
      : new SharedDownloads(concurrentDownloads, redis);
  return {
    ...(requestsPerMinute === 0 ? {} : { requests: countedRequests(requestsPerMinute, redis) }),
    ...(concurrentDownloads === 0
      ? {}
      : { downloads: shared ?? new OwnDownloads(concurrentDownloads) }),
    close() {
      shared?.close();
      redis?.close();
    },
  };
}

/** A name that tells nothing of the key. */
const nameOf = (databaseKey: Buffer): string =>
  createHmac('sha256', databaseKey).update('limits').digest('base64url').slice(0, 22);
