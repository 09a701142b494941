import { expect, test } from 'vitest';
import type { Change, ChangePage } from '../../src/reading/changes/change-page.ts';
import { truncatedPage } from '../../src/webhooks/truncated-page.ts';

const THROUGH = 7000;
const FROM = { number: 5, partial: { through: THROUGH, key: keyOf(0) } };
const NEXT = { number: THROUGH };

function keyOf(transactionId: number) {
  return { batch: 6000, publisherId: 100, transactionId };
}

/** A page of changes whose records have these sizes; undefined for a transaction that is gone. */
function pageOf(...sizes: readonly (number | undefined)[]): ChangePage {
  const changes = sizes.map((size, at): Change => {
    const record = size === undefined ? undefined : Buffer.alloc(size);
    return { ...keyOf(at + 1), type: 'sales', keptFrom: 0, record };
  });
  return { changes, from: FROM, next: NEXT };
}

test.each([
  ['no change', pageOf()],
  ['as many bytes as fit', pageOf(40, undefined, 60)],
  ['one record that is too large', pageOf(500)],
])('a page with %s stays whole', (_, page) => {
  expect(truncatedPage(page, 100)).toBe(page);
});

test.each([
  ['before the record that exceeds the limit', [40, 60, 1, 1], 2],
  ['after a first record that exceeds it', [500, undefined, 1], 1],
  ['between two records that each exceed it', [500, 500], 1],
])('a page is cut %s, and the next one begins there', (_, sizes, left) => {
  const { changes, from, next } = truncatedPage(pageOf(...sizes), 100);
  expect(changes.map(({ transactionId }) => transactionId)).toEqual([1, 2].slice(0, left));
  expect(from).toBe(FROM);
  expect(next).toMatchObject({ number: 5, partial: { through: THROUGH, key: keyOf(left) } });
});
