/** Disk quota: how many bytes of temporary files of one client may wait to be read. */

/** The files of a client that wait to be read take its whole quota. */
export class DiskQuotaExceeded extends Error {
  override readonly name = 'DiskQuotaExceeded';
}

/** What one file takes of the quota of its client. */
export interface QuotaShare {
  /** Throws DiskQuotaExceeded if the other files of the client take the whole quota. */
  requireQuota(): void;
  /** Changes the number of bytes. */
  resize(bytes: number): void;
  /** Has no effect the second time. */
  release(): void;
}

/** The share of a file that is not counted: it belongs to no client, or there is no limit. */
const NO_SHARE: QuotaShare = { requireQuota() {}, resize() {}, release() {} };

export class DiskQuota {
  readonly #limit: number;
  /** The sizes of the files of each client. */
  readonly #files = new Map<string, Map<QuotaShare, number>>();

  /** `limit` is in bytes; 0 means no limit. A client's only file may be larger, because only other files count. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a new file of a client, which is empty. */
  open(client: string | undefined): QuotaShare {
    if (client === undefined || this.#limit === 0) return NO_SHARE;
    const files = this.#files.get(client) ?? new Map<QuotaShare, number>();
    this.#files.set(client, files);
    const share: QuotaShare = {
      requireQuota: () => {
        const others = files
          .entries()
          .reduce((sum, [one, size]) => (one === share ? sum : sum + size), 0);
        if (others >= this.#limit) {
          throw new DiskQuotaExceeded(
            'The files of the client that wait to be read take its whole quota.',
          );
        }
      },
      resize: (bytes) => {
        if (files.has(share)) files.set(share, bytes);
      },
      release: () => {
        files.delete(share);
        if (files.size === 0 && this.#files.get(client) === files) this.#files.delete(client);
      },
    };
    files.set(share, 0);
    return share;
  }
}
