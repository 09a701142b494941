/** Creates the logger: JSON lines, or coloured text on a terminal. */

import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Milliseconds and bytes for which lines are gathered: a write costs as much CPU time as a line. */
const GATHERING_TIME = 100;
const GATHERED_BYTES = 8192;

/** Bytes of waiting lines if nobody reads the output. Further lines are dropped and counted. */
const MAX_WAITING = 16 * 1024 * 1024;

export function createLogger(level: string): Logger {
  const options = { level, redact: ['req.headers.authorization', 'headers.authorization'] };
  return process.stdout.isTTY
    ? pino(options, pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
    : gatheringLogger(options);
}

/** Writes the last lines when the process exits. */
function gatheringLogger(options: { readonly level: string; readonly redact: string[] }): Logger {
  const output = destination({ sync: false, minLength: GATHERED_BYTES, maxLength: MAX_WAITING });
  let isGathering = false;
  const flush = () => {
    isGathering = false;
    output.flush();
  };
  const write = (line: string) => {
    output.write(line);
    if (!isGathering) setTimeout(flush, GATHERING_TIME).unref();
    isGathering = true;
  };
  const logger = pino(options, { write });
  let omitted = 0;
  output.on('drop', () => {
    omitted += 1;
  });
  output.on('drain', () => {
    if (omitted === 0) return;
    logger.warn({ omitted }, 'lines of the log were dropped, because nobody read them');
    omitted = 0;
  });
  return logger;
}
