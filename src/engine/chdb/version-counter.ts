/** The data versions of the embedded engine, which only statements of this process advance. */

import type { ChangedData, DataVersions } from '../engine.ts';

/** The versions that a statement advances. */
const ADVANCED = {
  nothing: [],
  rows: ['all'],
  all: ['all', 'tokensAndValues'],
} as const satisfies Readonly<Record<ChangedData, readonly (keyof DataVersions)[]>>;

export class VersionCounter {
  #current: DataVersions = { all: 0, tokensAndValues: 0 };

  get current(): DataVersions {
    return this.#current;
  }

  /** Call it before and after a statement. What is read meanwhile may be old or new, so it gets its own version. */
  advance(changes: ChangedData): void {
    const next = { ...this.#current };
    for (const version of ADVANCED[changes]) next[version] += 1;
    this.#current = next;
  }
}
