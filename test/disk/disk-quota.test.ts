import { expect, test } from 'vitest';
import { DiskQuota, DiskQuotaExceeded } from '../../src/disk/disk-quota.ts';

test('a file is refused while other files of its client use up the quota', () => {
  const quota = new DiskQuota(100);
  const first = quota.open('one');
  // Alone, a file may be larger than the quota.
  first.resize(500);
  first.requireQuota();
  const second = quota.open('one');
  expect(() => second.requireQuota()).toThrow(DiskQuotaExceeded);
  quota.open('other').requireQuota();
  quota.open(undefined).requireQuota();
  first.resize(99);
  second.requireQuota();
  first.resize(100);
  expect(() => second.requireQuota()).toThrow(DiskQuotaExceeded);
  first.release();
  first.release();
  first.resize(500);
  second.requireQuota();
});

test('without a quota no file is refused', () => {
  const quota = new DiskQuota(0);
  quota.open('one').resize(Number.MAX_SAFE_INTEGER);
  quota.open('one').requireQuota();
});
