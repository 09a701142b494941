/** Download limit within this process. */

import type { Allowance, DownloadLimit, DownloadSlot } from './limits.ts';

export class LocalDownloadLimit implements DownloadLimit {
  readonly limit: number;
  /** Only principals with running downloads have an entry. */
  readonly #running = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  async acquire(principalId: string): Promise<DownloadSlot | undefined> {
    const running = (this.#running.get(principalId) ?? 0) + 1;
    if (running > this.limit) return undefined;
    this.#running.set(principalId, running);
    let isReleased = false;
    return {
      remaining: this.limit - running,
      release: () => {
        if (!isReleased) this.#release(principalId);
        isReleased = true;
      },
    };
  }

  #release(principalId: string): void {
    const others = (this.#running.get(principalId) ?? 0) - 1;
    if (others > 0) this.#running.set(principalId, others);
    else this.#running.delete(principalId);
  }

  async remaining(principalId: string): Promise<Allowance> {
    const remaining = this.limit - (this.#running.get(principalId) ?? 0);
    return { limit: this.limit, remaining };
  }
}
