/** Creates the logger: JSON lines, or coloured text on a terminal. */

import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { BatchedOutput } from './batched-output.ts';

export interface ServiceLog {
  readonly logger: Logger;
  /** Writes the last lines. */
  close(): Promise<void>;
}

export function createLogger(level: string): ServiceLog {
  const options = { level, redact: ['req.headers.authorization', 'headers.authorization'] };
  if (process.stdout.isTTY) {
    const output = pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true });
    return { logger: pino(options, output), close: async () => undefined };
  }
  const output = new BatchedOutput((omitted) =>
    logger.warn({ omitted }, 'lines of the log were dropped, because they could not be written'),
  );
  const logger = pino(options, output);
  return { logger, close: () => output.close() };
}
