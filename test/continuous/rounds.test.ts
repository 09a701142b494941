import { expect, onTestFinished, test, vi } from 'vitest';
import { ImportProgress, presentInstant } from '../../src/cli/continuous/import-progress.ts';
import { readInterval } from '../../src/cli/continuous/interval.ts';
import { delayAfter, repeat } from '../../src/cli/continuous/rounds.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

/** Fakes the clock until the test ends. Returns a function that sets it back by an hour. */
function fakeClock(): () => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.setSystemTime(Date.now() - HOUR);
}

test('a clock that is set back during a round does not delay the next one', async () => {
  const setBack = fakeClock();
  const stopping = new AbortController();
  let rounds = 0;
  const round = async () => {
    rounds += 1;
    if (rounds === 2) stopping.abort();
    setBack();
  };
  await repeat({ every: 1, signal: stopping.signal, round, onFailure: () => undefined });
  expect(rounds).toBe(2);
});

test('a clock that is set back does not put the last round into the future', () => {
  const setBack = fakeClock();
  const progress = new ImportProgress();
  const before = Date.now();
  progress.advance(presentInstant());
  expect(progress.readUntil?.getTime()).toBeLessThanOrEqual(before);
  setBack();
  expect(progress.readUntil?.getTime()).toBeLessThanOrEqual(before - HOUR);
});

test('an import begins again in another database, but not in one that it cannot identify', () => {
  const progress = new ImportProgress(new Date());
  expect([progress.enter(7), progress.enter(7), progress.enter(undefined)]).not.toContain(true);
  expect(progress.readUntil).toBeDefined();
  expect([progress.enter(8), progress.readUntil]).toEqual([true, undefined]);
  // After a failed round in the new database, everything is read again.
  expect([progress.enter(8), progress.readUntil]).toEqual([false, undefined]);
});
