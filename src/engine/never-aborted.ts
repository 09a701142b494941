/** The signal of work that nobody aborts. */
export const NEVER_ABORTED = new AbortController().signal;
