/** Cache of engine results, valid while the data is unchanged, or for a second on ClickHouse servers. */

/** Milliseconds for which a result is valid if other processes can write. */
const VALID_FOR = 1000;

/** The maximum number of cached results, if the caller sets no other. */
const MAX_ENTRIES = 1000;

interface Entry<Result> {
  readonly result: Promise<Result>;
  readonly queriedAt: number;
}

export class VersionMemo<Result> {
  readonly #versionNow: () => number | undefined;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, Entry<Result>>();
  #version: number | undefined;

  /** `versionNow` returns the version of the data; undefined if other processes can write. */
  constructor(versionNow: () => number | undefined, maxEntries = MAX_ENTRIES) {
    this.#versionNow = versionNow;
    this.#maxEntries = maxEntries;
  }

  /** The cached result of a key; queried once per version of the data. */
  async get(key: string, query: () => Promise<Result>): Promise<Result> {
    const version = this.#versionNow();
    if (version !== this.#version || this.#entries.size >= this.#maxEntries) {
      this.#entries.clear();
      this.#version = version;
    }
    const known = this.#entries.get(key);
    const isKnown =
      known && (version !== undefined || known.queriedAt + VALID_FOR > performance.now());
    if (isKnown) return await known.result;
    return await this.refresh(key, query);
  }

  /** Queries the result of a key, and caches it. */
  async refresh(key: string, query: () => Promise<Result>): Promise<Result> {
    const entry = { result: query(), queriedAt: performance.now() };
    this.#entries.set(key, entry);
    entry.result.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return await entry.result;
  }
}
