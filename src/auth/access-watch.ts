/**
 * Ends running downloads whose access token has expired or was revoked, or that last too long.
 *
 * One lookup serves all downloads, so its cost does not grow with their number. On the embedded engine,
 * it runs only if a download has started since the last lookup, or if tokens or blocked subjects may have changed.
 */

import { Slots } from '../concurrency/slots.ts';
import { Problem } from '../contract/problems/problems.ts';
import type { Principal } from './principal.ts';

export interface AccessWatchOptions {
  /** Finds those of the given principals whose token was revoked or whose subject was blocked. */
  readonly findRevoked: (principalIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The version of tokens (see `Reader.versions`). If it is unchanged, no token was revoked or subject blocked. */
  readonly tokenVersion: () => number | undefined;
  /** Milliseconds that a download may last; 0 for no limit. */
  readonly longestDownload: number;
  /** Milliseconds between two checks, by default `INTERVAL`. */
  readonly interval?: number;
}

/** Milliseconds between two checks. The downloads of a revoked token end within this time plus one lookup. */
const INTERVAL = 2000;

/** Milliseconds for which an expired JSON Web Token is still accepted, because clocks differ. */
const EXPIRY_TOLERANCE = 5000;

/** Sent to a client only if its download has not started yet. */
const tookTooLong = (): Problem =>
  new Problem('busy', {
    hint: 'The download reached the time limit of downloads while it was still waiting to start.',
    cause: new Error('The download has reached DOWNLOAD_LIFETIME.'),
  });

interface WatchedDownload {
  readonly principalId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Compared with `performance.now()`, so that a clock that is set does not change how long a download may last. */
  readonly lastsUntil: number;
  readonly end: (reason: Problem) => void;
}

/** A token that has just expired was still accepted, so its download may run a little longer. */
const expiryOf = (expiresAt: number, now: number): number =>
  expiresAt > now ? expiresAt : now + EXPIRY_TOLERANCE;

export class AccessWatch {
  readonly #options: AccessWatchOptions;
  readonly #downloads = new Slots<WatchedDownload>();
  #timer: NodeJS.Timeout | undefined;
  #isLookingUp = false;
  /** The version of tokens at which all watched downloads were looked up. */
  #lookedUpAt: number | undefined;

  constructor(options: AccessWatchOptions) {
    this.#options = options;
  }

  /** Calls `end` at most once, when the download must end. Returns a function that stops the watch. */
  watch({ id, expiresAt }: Principal, end: (reason: Problem) => void): () => void {
    const { longestDownload, interval = INTERVAL } = this.#options;
    const download: WatchedDownload = {
      principalId: id,
      expiresAt: expiryOf(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, Date.now()),
      lastsUntil:
        longestDownload === 0 ? Number.POSITIVE_INFINITY : performance.now() + longestDownload,
      end,
    };
    const slot = this.#downloads.add(download);
    this.#lookedUpAt = undefined;
    this.#timer ??= setInterval(() => this.#check(), interval).unref();
    return () => this.#remove(slot, download);
  }

  #remove(slot: number, download: WatchedDownload): void {
    this.#downloads.delete(slot, download);
    if (this.#downloads.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = Date.now();
    for (const [slot, download] of this.#downloads) {
      if (download.expiresAt <= now) this.#end(slot, download, new Problem('token_expired'));
      else if (download.lastsUntil <= performance.now()) this.#end(slot, download, tookTooLong());
    }
    void this.#endRevoked();
  }

  async #endRevoked(): Promise<void> {
    if (this.#isLookingUp || this.#downloads.size === 0) return;
    const version = this.#options.tokenVersion();
    if (version !== undefined && version === this.#lookedUpAt) return;
    this.#isLookingUp = true;
    // A download that begins during the lookup sets `#lookedUpAt` to undefined again.
    this.#lookedUpAt = version;
    try {
      const ids = new Set(Array.from(this.#downloads, ([, { principalId }]) => principalId));
      const revoked = await this.#options.findRevoked([...ids]);
      for (const [slot, download] of this.#downloads) {
        if (revoked.has(download.principalId))
          this.#end(slot, download, new Problem('token_revoked'));
      }
    } catch {
      // The database does not answer: the next check tries again.
      this.#lookedUpAt = undefined;
    } finally {
      this.#isLookingUp = false;
    }
  }

  #end(slot: number, download: WatchedDownload, reason: Problem): void {
    this.#remove(slot, download);
    download.end(reason);
  }
}
