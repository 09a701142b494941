import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Hosts } from '../../src/engine/clickhouse/hosts.ts';

const NAMES = ['http://one:8123', 'http://two:8123'];

const opened: Hosts[] = [];

afterAll(async () => {
  for (const hosts of opened) await hosts.close();
});

const hostsAt = (hosts: readonly string[]): Hosts => {
  const made = new Hosts({ hosts, username: 'default', password: '', database: 'default' });
  opened.push(made);
  return made;
};

/** The servers that a statement tries while each of them fails. */
function triedBy(hosts: Hosts): readonly string[] {
  const tried: string[] = [];
  for (const host of hosts.byPreference()) {
    hosts.noteFailure(host);
    tried.push(host.url);
  }
  return tried;
}

test.each([1, 2])('a statement tries each of %i servers once, although all fail', (count) => {
  const names = NAMES.slice(0, count);
  const hosts = hostsAt(names);
  expect(triedBy(hosts)).toEqual(names);
  // Now all of them have failed recently.
  expect(triedBy(hosts)).toEqual(names);
});

test('a server that failed recently is tried last', () => {
  const hosts = hostsAt(NAMES);
  const [first] = hosts.byPreference();
  if (first !== undefined) hosts.noteFailure(first);
  expect(triedBy(hosts)).toEqual(NAMES.toReversed());
});

test('a clock that is set back does not lengthen the pause of a failed server', () => {
  const hosts = hostsAt(NAMES);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [first] = hosts.byPreference();
  if (first !== undefined) hosts.noteFailure(first);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(2000);
  expect(triedBy(hosts)).toEqual(NAMES);
});
