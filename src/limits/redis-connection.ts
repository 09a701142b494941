/** Optional Redis connection: commands fail at once while it is down, and never queue. */

import { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';

/** Milliseconds that Redis has to answer before the connection is closed. */
const TIMEOUT = 1000;

export type OutageLog = Pick<BaseLogger, 'info' | 'warn'>;

export interface RedisConnection {
  readonly client: Redis;
  /** The number that a script returns; undefined if Redis does not answer. */
  evaluate(
    script: string,
    key: string,
    ...args: readonly (string | number)[]
  ): Promise<number | undefined>;
  /** Removes a member of a sorted set if Redis answers. */
  removeMember(key: string, member: string): void;
  close(): void;
}

/**
 * Connects and reconnects in the background, and logs when an outage starts and ends.
 *
 * Every key starts with `transactions:` and the name of the database, because principals of two databases may have
 * the same id.
 */
export function openRedis(url: string, log: OutageLog, database: string): RedisConnection {
  const client = new Redis(url, {
    keyPrefix: `transactions:${database}:`,
    connectionName: 'transactions',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: TIMEOUT,
    connectTimeout: TIMEOUT,
  });
  logOutages(client, log);
  return {
    client,
    async evaluate(script, key, ...args) {
      const answer = await client.eval(script, 1, key, ...args).catch(() => undefined);
      return typeof answer === 'number' ? answer : undefined;
    },
    removeMember: (key, member) => void client.zrem(key, member).catch(() => undefined),
    close: () => client.disconnect(),
  };
}

function logOutages(client: Redis, log: OutageLog): void {
  let isDown = false;
  const noteOutage = (reason: string) => {
    if (!isDown)
      log.warn({ reason }, 'Redis does not answer: this process enforces its limits alone');
    isDown = true;
  };
  // Only the message: the error of a refused login holds the password.
  client.on('error', (error: Error) => noteOutage(error.message));
  client.on('reconnecting', () => noteOutage('the connection was closed'));
  client.on('ready', () => {
    if (isDown) log.info('Redis answers: limits are shared again');
    isDown = false;
  });
}
