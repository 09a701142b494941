/** Downloads at the speed of an ordinary connection, with actions during the download. */

import { setTimeout as sleep } from 'node:timers/promises';

export interface PacedDownload {
  readonly url: string;
  readonly token: string;
  readonly bytesPerSecond?: number;
  /** Actions after a number of bytes; the download waits for them only at its end. */
  readonly events?: readonly { readonly after: number; readonly happen: () => Promise<void> }[];
}

/** A download whose connection was cut, with the body that had arrived. */
export class CutDownload extends Error {
  readonly body: Buffer;

  constructor(body: Buffer, cause: unknown) {
    super(`The download was cut after ${body.length} bytes.`, { cause });
    this.body = body;
  }
}

/** The complete body, or an error. */
export async function download(options: PacedDownload): Promise<Buffer> {
  const { url, token, bytesPerSecond = 60_000_000, events = [] } = options;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const started = performance.now();
  const chunks: Uint8Array[] = [];
  const happening: Promise<void>[] = [];
  const coming = events.toSorted((one, other) => one.after - other.after);
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      while ((coming[0]?.after ?? Infinity) <= bytes) {
        happening.push(coming.shift()?.happen() ?? Promise.resolve());
      }
      const early = (bytes / bytesPerSecond) * 1000 - (performance.now() - started);
      if (early > 5) await sleep(early);
    }
  } catch (error) {
    throw new CutDownload(Buffer.concat(chunks), error);
  } finally {
    await Promise.all(happening);
  }
  return Buffer.concat(chunks);
}
