/** What a failed test file may leave open. The next file in the same process could not open a database then. */

const open = new Set<() => Promise<unknown>>();

/** Registers how to close something. Returns a function that closes it, and does nothing when it is called again. */
export function registerClose(close: () => Promise<unknown>): () => Promise<void> {
  open.add(close);
  return async () => {
    if (open.delete(close)) await close();
  };
}

/** Closes what the file has left, the last first. */
export async function closeLeftovers(): Promise<void> {
  for (const close of [...open].reverse()) {
    open.delete(close);
    await close().catch((error: unknown) => console.error('A leftover was not closed.', error));
  }
}
