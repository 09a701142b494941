/** Times of publications: how long readers and writers rely on the mark of an import that becomes visible. */

/** Milliseconds for which a reader's check for publications is valid. */
export const CHECK_TTL = 1000;

/**
 * Milliseconds until every process has noticed a publication. Half is for the last check of a process to expire,
 * and half for the last query after this check to start.
 */
export const NOTICE_DELAY = 2 * CHECK_TTL;

/** Milliseconds between two marks of a publication. */
export const RENEWAL_INTERVAL = 10_000;

/** Milliseconds after the last mark when readers no longer wait for the publication. */
export const PUBLICATION_TIMEOUT = 30_000;

/** Seconds after the last mark when another process finishes the publication. */
export const TAKEOVER_AFTER = (2 * PUBLICATION_TIMEOUT) / 1000;

/** Milliseconds by which the clocks of a cluster's servers may differ. */
export const CLOCK_TOLERANCE = 5000;
