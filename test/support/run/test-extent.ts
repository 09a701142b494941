/** The extent of the tests: everything in `npm run test:full`, else a short and repeatable part. */

export const IS_FULL = process.env.TEST_FULL === '1';

/** The first value in `npm run test:full`, the second one in `npm test`. */
export const fullOrShort = <Value>(full: Value, short: Value): Value => (IS_FULL ? full : short);

/** A time limit in milliseconds for an idle machine. `npm test` adds a minute, for busy ones. */
export const withinMs = (milliseconds: number): number =>
  fullOrShort(milliseconds, milliseconds + 60_000);

/**
 * Random in a full run, and printed if a test fails. Otherwise constant, so that `npm test` is repeatable.
 * `TEST_SEED` repeats a run.
 */
export const SEED = Number(
  process.env.TEST_SEED ?? fullOrShort(Math.floor(Math.random() * 2 ** 31), 20_260_101),
);
