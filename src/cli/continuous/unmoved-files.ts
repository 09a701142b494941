/** Reports each file of a watched directory that cannot be moved: once, until it fails for another reason. */

import { failureMessage } from './round-text.ts';

/** Told of a file that cannot be moved, by its name. Such a file does not keep the others waiting. */
export type OnUnmoved = (name: string, error: unknown) => void;

export class UnmovedFiles {
  readonly #report: (message: string) => void;
  #known = new Set<string>();
  #ofRound = new Set<string>();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  /** At once: the round may fail before it ends. */
  readonly add: OnUnmoved = (name, error) => {
    const key = `${name}\n${reasonOf(error)}`;
    this.#ofRound.add(key);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#report(failureMessage(error));
  };

  /** Forgets the files that were moved in this round. */
  endRound(): void {
    this.#known = this.#ofRound;
    this.#ofRound = new Set();
  }
}

/** The code of the system's error, because a message may say how much space is left. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : failureMessage(error);
}
