/** Iterates over the chunks of a response body, in every browser. */

/** Cancels the body when the loop ends early. */
export async function* chunksOf(body: Response['body']): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  // Some browsers have no async iterator on streams.
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
