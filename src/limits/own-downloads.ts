/** The downloads that run in this process. */

import type { DownloadLimit, Place } from './limits.ts';

/** Keeps a number for those who have one running, and nothing for anybody else. */
export class OwnDownloads implements DownloadLimit {
  readonly limit: number;
  readonly #running = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  async begin(principalId: string): Promise<Place | undefined> {
    const running = (this.#running.get(principalId) ?? 0) + 1;
    if (running > this.limit) return undefined;
    this.#running.set(principalId, running);
    let isFree = false;
    return {
      remaining: this.limit - running,
      free: () => {
        if (!isFree) this.#end(principalId);
        isFree = true;
      },
    };
  }

  #end(principalId: string): void {
    const others = (this.#running.get(principalId) ?? 0) - 1;
    if (others > 0) this.#running.set(principalId, others);
    else this.#running.delete(principalId);
  }

  async left(principalId: string) {
    const remaining = this.limit - (this.#running.get(principalId) ?? 0);
    return { limit: this.limit, remaining };
  }
}
