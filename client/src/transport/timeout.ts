/** Aborts a request whose response does not begin in time. */

/** The most milliseconds that a timer can wait. A timer with more fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The limit ends when the response begins: its body may take longer. There is no limit without `seconds`, or with more
 * than a timer can wait.
 */
export async function withStartTimeout<Result>(
  seconds: number | undefined,
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal | null) => Promise<Result>,
): Promise<Result> {
  if (seconds === undefined || seconds * 1000 > LONGEST_TIMER) return await send(signal ?? null);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`The response did not begin within ${seconds} seconds.`));
  }, seconds * 1000);
  try {
    return await send(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
