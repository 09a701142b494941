/** An abort signal that never aborts. */
export const NEVER_ABORTED = new AbortController().signal;
