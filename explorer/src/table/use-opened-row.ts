/** The row that is open: it stays the same one, whatever comes into the list before it. */

import { useState } from 'react';
import type { Values } from '../query/question.ts';
import type { RowSource } from './row-source.ts';

export interface OpenedRow {
  /** Where it is in the list now, as far as that is known. */
  readonly place: number;
  /** Undefined as long as it is being read. */
  readonly row: Values | undefined;
}

/** Rows within which one that has moved is looked for. */
const NEAR = 200;

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
  for (let away = 0; away <= NEAR; away += 1) {
    // New rows are at the top more often than not.
    if (isAt(place + away)) return place + away;
    if (isAt(place - away)) return place - away;
  }
  return place;
}
