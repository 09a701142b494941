/** How much the tests try: all of it by `npm run test:full`, else a short and repeatable part of it. */

export const IS_FULL = process.env.TEST_FULL === '1';

/** A number of runs, rows or kills: one for `npm run test:full`, a smaller one for `npm test`. */
export const inFull = <Value>(full: Value, short: Value): Value => (IS_FULL ? full : short);

/** Milliseconds that a quiet machine keeps to. `npm test` also runs on busy ones: it waits a minute more. */
export const withinMs = (milliseconds: number): number =>
  inFull(milliseconds, milliseconds + 60_000);

/** Random in full and told where a test fails. Else always the same, so that `npm test` repeats itself. */
export const SEED = inFull(Math.floor(Math.random() * 2 ** 31), 20_260_101);
