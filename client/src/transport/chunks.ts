/** The body of an answer as chunks, in every browser. */

/** Whoever stops reading closes the connection. */
export async function* chunksOf(body: Response['body']): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  // Not all browsers iterate over streams.
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
