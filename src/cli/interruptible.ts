/** Aborts work when the process is told to stop, so that the work removes what it has written. */

/** Runs work with a signal that SIGINT and SIGTERM abort with an error. */
export async function interruptible<Result>(
  errorOf: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const leaving = new AbortController();
  const interrupt = () => leaving.abort(errorOf());
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(leaving.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
