/** Closes temporary files that nobody reads, the oldest first, when others need their space. */

export interface ClosableFile {
  /** While set, the file has no reader, and this function closes it as soon as another one needs its space. */
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

  /** Closes files without a reader, of the given client or of any, until a check of the space passes. */
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
