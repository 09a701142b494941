/** React state of the opened row, which follows the row when its position changes. */

import { useState } from 'react';
import type { ResultRow } from '../query/api-query.ts';
import type { RowSource } from './row-source.ts';

export interface OpenedRow {
  /** The last known position in the list. */
  readonly place: number;
  /** Undefined while the row is loading. */
  readonly row: ResultRow | undefined;
}

/** The search range for a row that has moved, in rows. */
const SEARCH_RANGE = 200;

export function useOpenedRow(source: RowSource) {
  const [opened, setOpened] = useState<OpenedRow>();
  const open = (place: number) => setOpened({ place, row: source.rowAt(place) });
  const close = () => setOpened(undefined);
  if (opened === undefined) return { opened, open, close };
  if (opened.row === undefined) {
    const row = source.rowAt(opened.place);
    if (row !== undefined) setOpened({ ...opened, row });
  }
  const place = Math.min(source.count - 1, placeOf(opened, source));
  return { opened: { ...opened, place }, open, close };
}

function placeOf({ place, row }: OpenedRow, source: RowSource): number {
  if (row === undefined) return place;
  const isAt = (other: number) => source.rowAt(other)?.transaction_id === row.transaction_id;
  for (let away = 0; away <= SEARCH_RANGE; away += 1) {
    // New rows are usually at the top, so search downwards first.
    if (isAt(place + away)) return place + away;
    if (isAt(place - away)) return place - away;
  }
  return place;
}
