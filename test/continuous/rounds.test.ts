import { expect, test } from 'vitest';
import { readInterval } from '../../src/cli/continuous/interval.ts';
import { delayAfter, repeat } from '../../src/cli/continuous/rounds.ts';

const MINUTE = 60_000;

test.each([
  ['1s', 1_000],
  ['5m', 5 * MINUTE],
  ['24h', 24 * 60 * MINUTE],
  ['86400s', 24 * 60 * MINUTE],
])('the interval %s has %i ms', (text, milliseconds) => {
  expect(readInterval(text, '--every')).toBe(milliseconds);
});

test.each(['', '0s', '5', '1.5m', '-1m', '1 m', '1d', '2073601s'])(
  'the interval %j is refused',
  (text) => {
    expect(() => readInterval(text, '--every')).toThrow(
      '--every must be a whole number of seconds',
    );
  },
);

test('the time between tries doubles up to 15 minutes, or to a longer interval', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((failures) => delayAfter(failures, MINUTE) / MINUTE);
  expect(delays).toEqual([1, 2, 4, 8, 15, 15]);
  expect(delayAfter(9, 60 * MINUTE)).toBe(60 * MINUTE);
});

/** Runs rounds that work or fail in this order, and then stops. */
async function run(outcomes: readonly ('works' | 'fails')[]) {
  const stopping = new AbortController();
  const failures: number[] = [];
  let rounds = 0;
  await repeat({
    every: 1,
    signal: stopping.signal,
    round: async () => {
      const outcome = outcomes[rounds];
      rounds += 1;
      if (rounds === outcomes.length) stopping.abort();
      if (outcome === 'fails') throw new Error('it failed');
    },
    onFailure: (_, delay) => failures.push(delay),
  });
  return { rounds, failures };
}

test('a failed round is repeated, and a success resets the time between tries', async () => {
  expect(await run(['works', 'fails', 'fails', 'works', 'fails', 'works'])).toEqual({
    rounds: 6,
    failures: [1, 2, 1],
  });
});

test('a failure of the first round ends the import, and a failure while it stops is no error', async () => {
  await expect(run(['fails', 'works'])).rejects.toThrow('it failed');
  expect(await run(['works', 'fails'])).toEqual({ rounds: 2, failures: [] });
});
