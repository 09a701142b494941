import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clientContract } from '../../client/scripts/client-contract.ts';
import { MAX_PAGE_SIZE, MEDIA_TYPES } from '../../client/src/contract.ts';
import { FORMATS } from '../../src/contract/query/formats.ts';
import * as parameters from '../../src/contract/query/parameters.ts';
import { filesUnder } from '../architecture/source-files.ts';

test('the maximum page size and the media types are generated from the contract of the service', async () => {
  expect(MAX_PAGE_SIZE).toBe(parameters.MAX_PAGE_SIZE);
  expect(Object.keys(MEDIA_TYPES)).toEqual(Object.keys(FORMATS));
  for (const [name, { mediaType }] of Object.entries(FORMATS)) {
    expect(mediaType.split(';')[0]).toBe(
      Object.entries(MEDIA_TYPES).find(([key]) => key === name)?.[1],
    );
  }
  const path = new URL('../../client/src/contract.ts', import.meta.url);
  expect(await readFile(path, 'utf8')).toBe(clientContract());
});

test('no other module of the client contains these values', () => {
  const essences = Object.values(MEDIA_TYPES).map((type) => `'${type}'`);
  const stating = filesUnder('client/src').filter(
    ({ path, text }) =>
      path !== 'client/src/contract.ts' &&
      ['10_000', ...essences].some((fact) => text.includes(fact)),
  );
  expect(stating.map(({ path }) => path)).toEqual([]);
});
