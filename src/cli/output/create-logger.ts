/** Creates the logger: JSON lines, or coloured text on a terminal. */

import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export function createLogger(level: string): Logger {
  const options = { level, redact: ['req.headers.authorization', 'headers.authorization'] };
  return process.stdout.isTTY
    ? pino(options, pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
    : pino(options);
}
