/** Progress and speed of a download, measured as its bytes pass through. */

/** Milliseconds between two reports. */
const REPORT_INTERVAL = 150;

/** Ends each row of the text formats. */
const LINE_END = 10;

export interface TransferProgress {
  readonly bytes: number;
  /** Bytes per second. */
  readonly speed: number;
  /** From 0 to 1; undefined if the length is unknown. */
  readonly fraction: number | undefined;
}

export interface DownloadMeter {
  /** A stream that counts all bytes and passes them on. */
  counting(stream: WritableStream<Uint8Array>): WritableStream<Uint8Array>;
  /** Sets the length in bytes, once it is known. */
  setTotal(total: number | undefined): void;
  hasStarted(): boolean;
}

/** `lines` is the number of rows, for formats with one row per line. */
export function downloadMeterOf(
  lines: number | undefined,
  report: (progress: TransferProgress) => void,
): DownloadMeter {
  const started = performance.now();
  let bytes = 0;
  let linesSoFar = 0;
  let total: number | undefined;
  let reportedAt = 0;
  const fraction = (): number | undefined => {
    if (total !== undefined) return bytes / total;
    return lines ? Math.min(1, linesSoFar / lines) : undefined;
  };
  const reportAt = (now: number) => {
    reportedAt = now;
    report({ bytes, fraction: fraction(), speed: (bytes * 1000) / Math.max(1, now - started) });
  };
  reportAt(started);
  const counting = (stream: WritableStream<Uint8Array>): WritableStream<Uint8Array> => {
    const writer = stream.getWriter();
    return new WritableStream<Uint8Array>({
      write: async (chunk) => {
        bytes += chunk.length;
        if (lines !== undefined) linesSoFar += linesIn(chunk);
        const now = performance.now();
        if (now - reportedAt > REPORT_INTERVAL) reportAt(now);
        await writer.write(chunk);
      },
      close: async () => await writer.close(),
      abort: async (reason) => await writer.abort(reason),
    });
  };
  const setTotal = (length: number | undefined) => {
    total = length;
  };
  return { counting, setTotal, hasStarted: () => bytes > 0 };
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  return lines;
}
