/** Optional Redis connection: commands fail at once while it is down, and never queue. */

import { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';

/** Milliseconds that Redis has to answer before the connection is closed. */
const TIMEOUT = 1000;

/**
 * Least milliseconds between two reconnections to a Redis that refuses writes, and between the last refusal and the
 * end of the outage.
 */
const REFUSAL_PAUSE = 5000;

export type OutageLog = Pick<BaseLogger, 'info' | 'warn'>;

export interface RedisConnection {
  readonly client: Redis;
  /** The number that a script returns; undefined if Redis does not answer or refuses the script. */
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
    reconnectOnError: leaveReplicas(),
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

/**
 * Whether an error ends the connection. After a failover, it may lead to a server that has become a replica, and only a
 * new connection finds the new primary.
 */
function leaveReplicas(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    if (!message.includes('READONLY') || now - leftAt < REFUSAL_PAUSE) return false;
    leftAt = now;
    return true;
  };
}

function logOutages(client: Redis, log: OutageLog): void {
  let isDown = false;
  let refusedAt = Number.NEGATIVE_INFINITY;
  const noteOutage = (reason: string) => {
    if (!isDown)
      log.warn({ reason }, 'Redis does not answer: this process enforces its limits alone');
    isDown = true;
  };
  const noteAnswer = () => {
    // A server that refuses some scripts may run others.
    if (!isDown || performance.now() - refusedAt < REFUSAL_PAUSE) return;
    log.info('Redis answers: limits are shared again');
    isDown = false;
  };
  const noteRefusal = (reason: string) => {
    refusedAt = performance.now();
    noteOutage(reason);
  };
  // Only the message: the error of a refused login holds the password.
  client.on('error', (error: Error) => noteOutage(error.message));
  client.on('reconnecting', () => noteOutage('the connection was closed'));
  client.on('ready', noteAnswer);
  watchScripts(client, { onAnswer: noteAnswer, onRefusal: noteRefusal });
}

interface ScriptWatch {
  onAnswer(): void;
  onRefusal(reason: string): void;
}

/** Watches what the client sends, because the request limit sends its scripts itself. */
function watchScripts(client: Redis, { onAnswer, onRefusal }: ScriptWatch): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    if (command.name === 'eval' || command.name === 'evalsha') {
      command.promise.then(onAnswer, (error: Error) => {
        // Other errors are those of the connection.
        if (error.name === 'ReplyError') onRefusal(error.message);
      });
    }
    return send(command, stream);
  };
}
