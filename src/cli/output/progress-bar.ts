/** A bar on standard error that shows how far an import is. */

import cliProgress from 'cli-progress';

interface ProgressBar {
  /** The bytes that were read of a source, of which nobody knows how many there are. */
  read(bytes: number): void;
  /** The part that is done, from 0 to 1. */
  update(part: number): void;
  stop(): void;
}

/** Shown on a terminal only, and not beside output for machines. */
export function progressBar(isQuiet: boolean): ProgressBar | undefined {
  if (isQuiet || !process.stderr.isTTY) return undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: '{phase} {bar} {percentage} % after {duration_formatted}',
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_grey,
  );
  bar.start(1, 0, { phase: 'importing' });
  return {
    read: (bytes) => bar.update(0, { phase: `reading ${Math.round(bytes / 1_000_000)} MB` }),
    update: (part) => bar.update(part, { phase: 'importing' }),
    stop: () => bar.stop(),
  };
}
