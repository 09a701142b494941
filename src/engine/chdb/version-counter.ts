/** Counts the versions of the embedded engine's data: statements of this process alone change it. */

import type { ChangedData, DataVersions } from '../engine.ts';

export class VersionCounter {
  #present: DataVersions = { all: 0, tokens: 0 };

  get present(): DataVersions {
    return this.#present;
  }

  /** Call it before a statement and after it: what is read meanwhile may be old or new. */
  count(changes: ChangedData): void {
    if (changes === 'nothing') return;
    const { all, tokens } = this.#present;
    this.#present = { all: all + 1, tokens: changes === 'all' ? tokens + 1 : tokens };
  }
}
