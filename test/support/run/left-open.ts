/** How to close what a failed test file leaves open. Otherwise the next file in the process can open no database. */

const open = new Set<() => Promise<unknown>>();

/** Registers how to close something. Returns a function that closes it; a second call does nothing. */
export function registerClose(close: () => Promise<unknown>): () => Promise<void> {
  open.add(close);
  return async () => {
    if (open.delete(close)) await close();
  };
}

/** Closes everything that the test file has left open, in reverse order of opening. */
export async function closeLeftovers(): Promise<void> {
  for (const close of [...open].reverse()) {
    open.delete(close);
    await close().catch((error: unknown) => console.error('A leftover was not closed.', error));
  }
}
