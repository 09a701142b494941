import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { Statement } from '../../src/plan/sql.ts';
import { DeliveryLease } from '../../src/webhooks/delivery-lease.ts';
import { nextVersion } from '../../src/webhooks/next-version.ts';

test('the next version is greater than the newest one, and two processes rarely choose the same one', () => {
  for (const newest of [0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 33 + 5, 2 ** 52]) {
    const [one, other] = [nextVersion(newest), nextVersion(newest)];
    expect(Math.min(one, other)).toBeGreaterThan(newest);
    expect(Math.max(one, other) - newest).toBeLessThanOrEqual(2 ** 21);
    expect(Number.isSafeInteger(one)).toBe(true);
  }
  expect(new Set(Array.from({ length: 20 }, () => nextVersion(1))).size).toBeGreaterThan(15);
});

/** The rows of the lease on a server that several processes share. */
class SharedLease {
  readonly #rows: { readonly version: number; readonly stored: string }[] = [];
  now = 1000;
  #reads = 0;

  /** If several rows have the newest version, each read may return another of them. */
  #newest() {
    this.#reads += 1;
    const newest = Math.max(0, ...this.#rows.map(({ version }) => version));
    const found = this.#rows.filter(({ version }) => version === newest);
    return { now: this.now, newest, stored: found[this.#reads % found.length]?.stored ?? '' };
  }

  get engine(): Engine {
    const engine = {
      rows: async () => [this.#newest()],
      execute: async ({ values }: Statement) => {
        const [version, stored] = Object.values(values);
        this.#rows.push({ version: Number(version), stored: String(stored) });
      },
    };
    return engine as unknown as Engine;
  }

  /** A process's lease. */
  open(): DeliveryLease {
    return new DeliveryLease(this.engine, { settled: 20 });
  }
}

test('of processes that ask at the same time one holds the lease, and another one after its end', async () => {
  const shared = new SharedLease();
  const leases = Array.from({ length: 5 }, () => shared.open());
  await Promise.all(leases.map(async (lease) => await lease.update()));
  const [holder, ...more] = leases.filter(({ isHeld }) => isHeld);
  expect(more).toEqual([]);
  const other = leases.find((lease) => lease !== holder);
  await other?.update();
  expect(other?.isHeld).toBe(false);
  // A process that does not hold the lease cannot end it.
  await other?.end();
  await other?.update();
  expect(other?.isHeld).toBe(false);
  await holder?.end();
  await other?.update();
  expect([holder?.isHeld, other?.isHeld]).toEqual([false, true]);
});

test('a process that was frozen beyond the end of its lease does not end the lease of another process', async () => {
  const shared = new SharedLease();
  const [frozen, other] = [shared.open(), shared.open()];
  await frozen.update();
  shared.now += 61;
  await other.update();
  expect(other.isHeld).toBe(true);
  await frozen.end();
  const third = shared.open();
  await third.update();
  expect(third.isHeld).toBe(false);
});

test('a process does not take a lease that only one of the servers that answer knows', async () => {
  const [current, behind] = [new SharedLease(), new SharedLease()];
  await current.open().update();
  const silent = {
    ...behind.engine,
    rows: async () => await Promise.reject(new Error('The server does not answer.')),
  };
  const servers = {
    readers: [behind.engine, silent, current.engine],
    localTableOf: (table: string) => `${table}_local`,
  };
  const other = new DeliveryLease(behind.engine, { servers, settled: 20 });
  await other.update();
  expect(other.isHeld).toBe(false);
  current.now += 61;
  behind.now += 61;
  await new DeliveryLease(current.engine, { servers, settled: 20 }).update();
  await other.update();
  expect(other.isHeld).toBe(false);
});

test('no lease is taken while no server answers', async () => {
  const failure = new Error('The server does not answer.');
  const { engine } = new SharedLease();
  const silent = { ...engine, rows: async () => await Promise.reject(failure) };
  const servers = { readers: [silent], localTableOf: (table: string) => table };
  const lease = new DeliveryLease(engine, { servers, settled: 20 });
  await expect(lease.update()).rejects.toBe(failure);
});
