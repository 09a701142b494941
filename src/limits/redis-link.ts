/** A connection to Redis that may be missing: what cannot be asked at once is not waited for. */

import { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';

/** Milliseconds that Redis has for an answer before the connection is given up. */
const PATIENCE = 1000;

/** Where outages are told. */
export type OutageLog = Pick<BaseLogger, 'info' | 'warn'>;

export interface RedisLink {
  readonly client: Redis;
  /** The number that a script returns; undefined where Redis does not answer. */
  ask(script: string, key: string, ...values: (string | number)[]): Promise<number | undefined>;
  /** Removes a member of a sorted set, as far as Redis can be reached. */
  forget(key: string, member: string): void;
  close(): void;
}

/**
 * Connects in the background, again and again, and logs the beginning and the end of an outage.
 *
 * Every key begins with the name of a database, as the principals of two may have the same id.
 */
export function openRedis(url: string, log: OutageLog, database: string): RedisLink {
  const client = new Redis(url, {
    keyPrefix: `transactions:${database}:`,
    connectionName: 'transactions',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: PATIENCE,
    connectTimeout: PATIENCE,
  });
  logOutages(client, log);
  return {
    client,
    async ask(script, key, ...values) {
      const answer = await client.eval(script, 1, key, ...values).catch(() => undefined);
      return typeof answer === 'number' ? answer : undefined;
    },
    forget: (key, member) => void client.zrem(key, member).catch(() => undefined),
    close: () => client.disconnect(),
  };
}

function logOutages(client: Redis, log: OutageLog): void {
  let isMissed = false;
  const miss = (reason: string) => {
    if (!isMissed) log.warn({ reason }, 'Redis does not answer: this process counts for itself');
    isMissed = true;
  };
  // The message alone: the error of a refused login holds the password.
  client.on('error', (error: Error) => miss(error.message));
  client.on('reconnecting', () => miss('the connection was closed'));
  client.on('ready', () => {
    if (isMissed) log.info('Redis answers: limits are shared again');
    isMissed = false;
  });
}
