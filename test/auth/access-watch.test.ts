import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccessWatch } from '../../src/auth/access-watch.ts';
import type { Principal } from '../../src/auth/principal.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
});

const principal = (id: string, expiresAt?: Date): Principal => ({
  id,
  role: 'admin',
  publisherIds: 'all',
  programIds: 'all',
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

interface Lookups {
  readonly asked: (readonly string[])[];
  readonly revoked: Set<string>;
  isFailing: boolean;
  /** The data version of an embedded engine. */
  version: number | undefined;
}

/** A watch that ends downloads after an hour, and the lookups that it makes. */
function watchAnHour(): { watch: AccessWatch; lookups: Lookups } {
  const lookups: Lookups = { asked: [], revoked: new Set(), isFailing: false, version: undefined };
  const findRevoked = async (ids: readonly string[]) => {
    lookups.asked.push(ids);
    if (lookups.isFailing) throw new Error('The database does not answer.');
    return lookups.revoked;
  };
  const tokenVersion = () => lookups.version;
  return { watch: new AccessWatch({ findRevoked, tokenVersion, longestDownload: HOUR }), lookups };
}

test('ends the downloads of a revoked token within two seconds, and no others', async () => {
  const { watch, lookups } = watchAnHour();
  const ended: string[] = [];
  for (const id of ['first', 'second', 'first']) {
    watch.watch(principal(id), ({ code }) => ended.push(`${id}: ${code}`));
  }
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(ended).toEqual([]);
  lookups.revoked.add('first');
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(ended).toEqual(['first: token_revoked', 'first: token_revoked']);
});

test('looks nothing up while nothing is written and no download begins', async () => {
  const { watch, lookups } = watchAnHour();
  const ended: string[] = [];
  lookups.version = 1;
  watch.watch(principal('first'), ({ code }) => ended.push(code));
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(lookups.asked).toEqual([['first']]);
  watch.watch(principal('second'), ({ code }) => ended.push(code));
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(lookups.asked).toEqual([['first'], ['first', 'second']]);
  lookups.version = 2;
  lookups.isFailing = true;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  lookups.isFailing = false;
  lookups.revoked.add('second');
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect([lookups.asked.length, ended]).toEqual([4, ['token_revoked']]);
});

test('looks up all principals at once, each one once', async () => {
  const { watch, lookups } = watchAnHour();
  for (let at = 0; at < 100; at += 1) watch.watch(principal(`${at % 3}`), () => undefined);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(lookups.asked).toEqual([['0', '1', '2']]);
});

test('ends a download when its token expires', async () => {
  const { watch } = watchAnHour();
  const end = vi.fn();
  watch.watch(principal('first', new Date(11 * SECOND)), end);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(end).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'token_expired' }));
});

test('lets a download run a little longer if its token was accepted just after the expiry', async () => {
  const { watch } = watchAnHour();
  const end = vi.fn();
  watch.watch(principal('first', new Date(-SECOND)), end);
  await vi.advanceTimersByTimeAsync(4 * SECOND);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(end).toHaveBeenCalledOnce();
});

test('ends a download that lasts too long', async () => {
  const { watch } = watchAnHour();
  const end = vi.fn();
  watch.watch(principal('first'), end);
  await vi.advanceTimersByTimeAsync(HOUR - SECOND);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(end).toHaveBeenCalledOnce();
});

test('a clock that is set does not change how long a download may last', async () => {
  const { watch } = watchAnHour();
  const end = vi.fn();
  watch.watch(principal('first'), end);
  vi.setSystemTime(2 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR - SECOND);
  expect(end).not.toHaveBeenCalled();
  vi.setSystemTime(0);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(end).toHaveBeenCalledOnce();
});

test('does not end a download when the lookup fails, and looks up again', async () => {
  const { watch, lookups } = watchAnHour();
  const end = vi.fn();
  watch.watch(principal('first'), end);
  lookups.revoked.add('first');
  lookups.isFailing = true;
  await vi.advanceTimersByTimeAsync(4 * SECOND);
  expect(end).not.toHaveBeenCalled();
  lookups.isFailing = false;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(end).toHaveBeenCalledOnce();
});

test('costs nothing when no download runs', async () => {
  const { watch, lookups } = watchAnHour();
  const stop = watch.watch(principal('first'), () => undefined);
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(lookups.asked).toEqual([]);
});

test('after its end, stopping a download leaves the next one watched', async () => {
  const { watch, lookups } = watchAnHour();
  const ended: string[] = [];
  const watched = (id: string) => watch.watch(principal(id), () => ended.push(id));
  lookups.revoked.add('first').add('second');
  const stopFirst = watched('first');
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  watched('second');
  stopFirst();
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(ended).toEqual(['first', 'second']);
});
