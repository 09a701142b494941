/** Cuts a page of changes to the size of a message. */

import type { Change, ChangePage } from '../reading/changes/change-page.ts';

/** The first changes of a page: at most `mostBytes` bytes of records, but at least one change. The rest come later. */
export function truncatedPage(page: ChangePage, mostBytes: number): ChangePage {
  const { number, partial } = page.from;
  const changes = firstChanges(page.changes, mostBytes);
  const key = changes.at(-1);
  const isWhole = changes.length === page.changes.length;
  if (isWhole || key === undefined || partial === undefined) return page;
  return { changes, from: page.from, next: { number, partial: { through: partial.through, key } } };
}

function firstChanges(changes: readonly Change[], mostBytes: number): readonly Change[] {
  let bytes = 0;
  const end = changes.findIndex(({ record }, at) => {
    bytes += record?.length ?? 0;
    return at > 0 && bytes > mostBytes;
  });
  return end === -1 ? changes : changes.slice(0, end);
}
