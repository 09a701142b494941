/** Progress bar of an import or a backup, on standard error. */

import cliProgress from 'cli-progress';

interface ProgressBar {
  /** Bytes read from a source, whose size is unknown. */
  read(bytes: number): void;
  /** The fraction that is done, from 0 to 1. */
  update(part: number): void;
  stop(): void;
}

/** Undefined if `isQuiet`, or if standard error is not a terminal. */
export function progressBar(isQuiet: boolean, phase = 'importing'): ProgressBar | undefined {
  if (isQuiet || !process.stderr.isTTY) return undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: '{phase} {bar} {percentage} % after {duration_formatted}',
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_grey,
  );
  bar.start(1, 0, { phase });
  return {
    read: (bytes) => bar.update(0, { phase: `reading ${Math.round(bytes / 1_000_000)} MB` }),
    update: (part) => bar.update(part, { phase }),
    stop: () => bar.stop(),
  };
}
