import { expect, test } from 'vitest';
import { UnmovedFiles } from '../../src/cli/continuous/unmoved-files.ts';
import { DiskFull } from '../../src/disk/disk-space.ts';

const failure = (code: string, message = code) =>
  new DiskFull(message, { cause: Object.assign(new Error(code), { code }) });

test('a file that cannot be moved is reported once, until it fails for another reason', () => {
  const reports: string[] = [];
  const unmoved = new UnmovedFiles((message) => reports.push(message));
  const round = (...failures: readonly [name: string, error: Error][]) => {
    for (const [name, error] of failures) unmoved.add(name, error);
    unmoved.endRound();
    return reports.splice(0);
  };
  expect(round(['a', failure('ENOSPC', '3 MB free')])).toEqual(['3 MB free']);
  expect(round(['a', failure('ENOSPC', '2 MB free')], ['b', failure('EPERM')])).toEqual(['EPERM']);
  expect(round(['a', failure('EPERM')], ['b', failure('EPERM')])).toEqual(['EPERM']);
  expect(round()).toEqual([]);
  expect(round(['a', failure('EPERM')])).toEqual(['EPERM']);
});

test('a file is reported at once, and not again after a round that failed', () => {
  const reports: string[] = [];
  const unmoved = new UnmovedFiles((message) => reports.push(message));
  unmoved.add('a', failure('EPERM'));
  expect(reports).toEqual(['EPERM']);
  unmoved.add('a', failure('EPERM'));
  unmoved.endRound();
  expect(reports).toEqual(['EPERM']);
});
