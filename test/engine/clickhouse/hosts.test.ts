import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Hosts } from '../../../src/engine/clickhouse/hosts.ts';

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

/** Advances only the clocks, because pings over the network need the real timers. */
function fakeClocks(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

const order = (hosts: Hosts): readonly string[] => [...hosts.byPreference()].map(({ url }) => url);

test('a failed server that answers no ping stays last', async () => {
  fakeClocks();
  const hosts = hostsAt(NAMES);
  const [first] = hosts.byPreference();
  if (first !== undefined) hosts.noteFailure(first);
  for (const _ of [1, 2, 3]) {
    vi.advanceTimersByTime(60_000);
    expect(order(hosts)).toEqual(NAMES.toReversed());
    await sleep(50);
  }
});

test('a failed server that answers a ping is used again after its pause, which a clock that is set back does not lengthen', async () => {
  let pings = 0;
  const server = createServer((_, response) => {
    pings += 1;
    response.end('Ok.\n');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  fakeClocks();
  const names = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, NAMES[1] ?? ''];
  const hosts = hostsAt(names);
  const [first] = hosts.byPreference();
  if (first !== undefined) hosts.noteFailure(first);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(1900);
  expect(order(hosts)).toEqual(names.toReversed());
  await sleep(50);
  expect(pings).toBe(0);
  vi.advanceTimersByTime(100);
  await expect.poll(() => order(hosts)).toEqual(names);
  expect(pings).toBe(1);
});
