/** React hook for the opened transaction of the address, and its position in the list. */

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import type { ApiQuery, ResultRow } from '../../query/api-query.ts';
import type { RowSource } from '../row-source.ts';

export interface OpenedRow {
  readonly id: string;
  /** The position in the list, or the one at which the row was opened; undefined if neither is known. */
  readonly place: number | undefined;
  /** The fields of the list; undefined if the row is not among the loaded ones. */
  readonly row: ResultRow | undefined;
}

export interface RowOpener {
  readonly opened: OpenedRow | undefined;
  /** The position that the list moves to: of the row that opens when it is loaded, or else of the opened row. */
  readonly shownPlace: number | undefined;
  open(place: number): void;
  close(): void;
}

/** A position of a list that the user has opened. */
interface Opening {
  readonly query: ApiQuery;
  readonly place: number;
  /** The row that is open: the one at the position, or another one until that is loaded. */
  readonly row: string | undefined;
}

/** The search range for a row that has moved, in rows. */
const SEARCH_RANGE = 200;

export function useOpenedRow(source: RowSource | undefined): RowOpener {
  const { view, change } = useExplorer();
  const [last, setLast] = useState<Opening>();
  const [wanted, setWanted] = useState<Opening>();
  useSyncExternalStore(source?.subscribe ?? subscribeToNothing, source?.version ?? noVersion);
  const open = (place: number) => {
    const id = source?.rowAt(place)?.transaction_id;
    // The row opens as soon as it is loaded.
    if (id === undefined || id === null) {
      if (source !== undefined) setWanted({ query: source.query, place, row: view.row });
      return;
    }
    setWanted(undefined);
    if (source === undefined) return;
    if (change({ row: String(id) })) setLast({ query: source.query, place, row: String(id) });
  };
  const waiting = placeIn(source, view.row, wanted);
  const isLoaded = waiting !== undefined && source?.rowAt(waiting) !== undefined;
  useEffect(() => {
    if (isLoaded && waiting !== undefined) open(waiting);
  });
  const close = () => {
    setWanted(undefined);
    change({ row: undefined });
  };
  const opened = openedRow(view.row, source, placeIn(source, view.row, last));
  return { opened, shownPlace: waiting ?? opened?.place, open, close };
}

/** The position of an opening if the list and the opened row are still the same. */
function placeIn(
  source: RowSource | undefined,
  row: string | undefined,
  opening: Opening | undefined,
): number | undefined {
  const isCurrent =
    opening !== undefined &&
    opening.row === row &&
    JSON.stringify(opening.query) === JSON.stringify(source?.query);
  return isCurrent ? opening.place : undefined;
}

const subscribeToNothing = () => () => undefined;
const noVersion = () => 0;

function openedRow(
  id: string | undefined,
  source: RowSource | undefined,
  last: number | undefined,
): OpenedRow | undefined {
  if (id === undefined) return undefined;
  if (source === undefined || source.count === 0) return { id, place: undefined, row: undefined };
  const found = placeOf(id, source, last ?? 0);
  const place = found ?? (last === undefined ? undefined : Math.min(source.count - 1, last));
  return { id, place, row: found === undefined ? undefined : source.rowAt(found) };
}

function placeOf(id: string, source: RowSource, near: number): number | undefined {
  const isAt = (place: number) => String(source.rowAt(place)?.transaction_id) === id;
  for (let away = 0; away <= SEARCH_RANGE; away += 1) {
    // New rows are usually at the top, so search downwards first.
    if (isAt(near + away)) return near + away;
    if (isAt(near - away)) return near - away;
  }
  return undefined;
}
