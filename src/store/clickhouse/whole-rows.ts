/** Cuts a stream of bytes where rows begin, so that every block holds whole rows. */

/** Bytes that are gathered before they go on. */
const BLOCK = 256 * 1024;

/** Blocks that each begin with `lead` and end before the next one; no row contains it elsewhere. */
export async function* wholeRows(
  bytes: AsyncIterable<Buffer>,
  lead: string,
): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < BLOCK) continue;
    const all = Buffer.concat(gathered, length);
    const cut = all.lastIndexOf(lead);
    if (cut > 0) yield all.subarray(0, cut);
    gathered = [cut > 0 ? all.subarray(cut) : all];
    length = gathered[0]?.length ?? 0;
  }
  if (length > 0) yield Buffer.concat(gathered, length);
}
