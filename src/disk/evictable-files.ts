/** Closes temporary files that nobody reads, the oldest first, when others need their space. */

export interface ClosableFile {
  /** Closes the file, when another file needs its space. Set only while the file has no reader. */
  closeForSpace: (() => Promise<void>) | undefined;
}

export class EvictableFiles {
  /** The client of each file. The oldest file comes first. */
  readonly #clients = new Map<ClosableFile, string | undefined>();

  add(file: ClosableFile, client: string | undefined): void {
    this.#clients.set(file, client);
  }

  delete(file: ClosableFile): void {
    this.#clients.delete(file);
  }

  /**
   * Closes files without a reader until the check passes: those of the given client, or of any. If none is left,
   * throws the error of the check.
   */
  async require(check: () => Promise<void> | void, client?: string): Promise<void> {
    for (;;) {
      try {
        return await check();
      } catch (error) {
        const close = this.#idleOf(client)?.closeForSpace;
        if (close === undefined) throw error;
        await close();
      }
    }
  }

  #idleOf(client: string | undefined): ClosableFile | undefined {
    return this.#clients
      .entries()
      .find(([file, of]) => file.closeForSpace && (client === undefined || of === client))?.[0];
  }
}
