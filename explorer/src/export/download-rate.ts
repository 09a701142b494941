/** How far a download is, and how quick: told a few times a second. */

import type { Going } from './use-download.ts';

/** Milliseconds between two looks. */
const EVERY = 150;

/** What each row of the formats that are text ends with. */
const LINE_END = 10;

export interface DownloadRate {
  /** Passes all bytes on, and counts them. */
  through(stream: WritableStream<Uint8Array>): WritableStream<Uint8Array>;
  /** Bytes that there will be, once that is known. */
  expect(total: number | undefined): void;
  hasBegun(): boolean;
}

/** Of an answer with so many lines, where it has lines. */
export function downloadRateOf(
  lines: number | undefined,
  tell: (going: Going) => void,
): DownloadRate {
  const started = performance.now();
  let bytes = 0;
  let linesSoFar = 0;
  let total: number | undefined;
  let told = 0;
  const part = (): number | undefined => {
    if (total !== undefined) return bytes / total;
    return lines ? Math.min(1, linesSoFar / lines) : undefined;
  };
  const say = (now: number) => {
    told = now;
    tell({ bytes, part: part(), speed: (bytes * 1000) / Math.max(1, now - started) });
  };
  say(started);
  const through = (stream: WritableStream<Uint8Array>): WritableStream<Uint8Array> => {
    const writer = stream.getWriter();
    return new WritableStream<Uint8Array>({
      write: async (chunk) => {
        bytes += chunk.length;
        if (lines !== undefined) linesSoFar += linesIn(chunk);
        const now = performance.now();
        if (now - told > EVERY) say(now);
        await writer.write(chunk);
      },
      close: async () => await writer.close(),
      abort: async (reason) => await writer.abort(reason),
    });
  };
  const expect = (length: number | undefined) => {
    total = length;
  };
  return { through, expect, hasBegun: () => bytes > 0 };
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  return lines;
}
