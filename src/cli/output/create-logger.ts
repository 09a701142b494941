/** Creates the logger: JSON lines, or coloured text on a terminal. */

import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Lines are gathered for so many milliseconds or bytes: a write costs twice as much as a line. */
const GATHERED = { periodicFlush: 100, minLength: 8192 };

/** Bytes of waiting lines if nobody reads the output; further ones are dropped, so that the service goes on. */
const MAX_WAITING = 16 * 1024 * 1024;

export function createLogger(level: string): Logger {
  const options = { level, redact: ['req.headers.authorization', 'headers.authorization'] };
  return process.stdout.isTTY
    ? pino(options, pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
    : pino(options, destination({ sync: false, maxLength: MAX_WAITING, ...GATHERED }));
}
