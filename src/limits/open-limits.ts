/** Opens the limits of the settings, shared over Redis if there is one. */

import { createHmac } from 'node:crypto';
import type { Limits } from './limits.ts';
import { LocalDownloadLimit } from './local-download-limit.ts';
import { type OutageLog, openRedis } from './redis-connection.ts';
import { requestLimit } from './request-limit.ts';
import { SharedDownloadLimit } from './shared-download-limit.ts';

export interface LimitSettings {
  /** 0: no limit. */
  readonly requestsPerMinute: number;
  /** 0: no limit. */
  readonly concurrentDownloads: number;
  /** Without Redis, each process counts for itself. */
  readonly redisUrl: string | undefined;
}

export interface OpenLimits extends Limits {
  close(): void;
}

/** Processes of one database have the same key, so they share their counters in Redis. */
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
      : new SharedDownloadLimit(concurrentDownloads, redis);
  return {
    ...(requestsPerMinute === 0 ? {} : { requests: requestLimit(requestsPerMinute, redis) }),
    ...(concurrentDownloads === 0
      ? {}
      : { downloads: shared ?? new LocalDownloadLimit(concurrentDownloads) }),
    close() {
      shared?.close();
      redis?.close();
    },
  };
}

/** The name of a database in Redis, made from its secret key without revealing it. */
const nameOf = (databaseKey: Buffer): string =>
  createHmac('sha256', databaseKey).update('limits').digest('base64url').slice(0, 22);
