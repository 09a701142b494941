/** Aborts a request whose response does not begin in time. */

/** The limit ends when the response begins: its body may take longer. Without `seconds` there is no limit. */
export async function withStartTimeout<Result>(
  seconds: number | undefined,
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal | null) => Promise<Result>,
): Promise<Result> {
  if (seconds === undefined) return await send(signal ?? null);
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
