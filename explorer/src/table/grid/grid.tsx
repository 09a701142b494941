/** Virtualized grid of rows with keyboard navigation. */

import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { assertNever } from '../../../../src/contract/assert-never.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { actionOf, type KeyAction } from '../../keys/keys.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { RowSource } from '../row-source.ts';
import { GridFrame } from './grid-frame.tsx';
import { GridHead } from './grid-head.tsx';
import { type GridLayout, useGridLayout } from './grid-layout.ts';
import { ROW_GROUP_ROLE } from './grid-roles.ts';
import { GridRow } from './grid-row.tsx';
import { useVirtualRows, type VirtualRows } from './virtual-rows.ts';

interface GridProps {
  readonly source: RowSource;
  /** Whether the rows belong to the previous query. */
  readonly isStale: boolean;
  /** The order of the rows as text. When it changes, the list goes back to the top. */
  readonly order: string;
  readonly columns: readonly RecordField[];
  /** The position of the opened transaction, which the grid moves to. */
  readonly openedPlace: number | undefined;
  open(place: number): void;
}

/** Milliseconds without scrolling until the visible rows are loaded. */
const SCROLL_PAUSE = 60;

export function Grid({ source, isStale, order, columns, openedPlace, open: openRow }: GridProps) {
  const { texts } = useLocalization();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const layout = useGridLayout(columns);
  const rows = useVirtualRows(frame, source.count, layout.rowHeight);
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, source.count - 1);
  useSyncExternalStore(source.subscribe, source.version);
  useLoadVisible(source, rows);
  const goTo = (row: number) => {
    const next = Math.min(source.count - 1, Math.max(0, row));
    setActive(next);
    rows.show(next);
  };
  useChange(order, order, () => goTo(0));
  useChange(openedPlace, undefined, () => {
    if (openedPlace !== undefined) goTo(openedPlace);
  });
  const open = (row: number) => {
    if (isStale) return;
    setActive(row);
    openRow(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = actionOf('list', event);
    if (action === undefined) return;
    if (action === 'open') open(active);
    else goTo(rowAfter(action, active, rows.rowsInSight, source.count));
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent) => {
    // A text selection must not open the row.
    if (getSelection()?.isCollapsed === false) return;
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
    if (row !== null) open(Number(row.dataset.place));
  };
  const isActiveRendered = active >= rows.first && active <= rows.last;
  return (
    <>
      <GridFrame frame={frame} isStale={isStale} onScroll={rows.onScroll}>
        <table
          {...gridAttributes(isActiveRendered ? `${id}-${active}` : undefined)}
          aria-labelledby="list-title"
          aria-describedby={`${id}-keys`}
          aria-rowcount={source.count + 1}
          onKeyDown={onKeyDown}
          onClick={onClick}
          className={layout.isCards ? 'cards' : undefined}
          style={{ height: `${rows.height}px`, minWidth: minWidthOf(layout) }}
        >
          <GridHead layout={layout} />
          <tbody {...ROW_GROUP_ROLE} style={{ transform: `translateY(${rows.top}px)` }}>
            {placesIn(rows).map((place) => (
              <GridRow
                key={place}
                id={`${id}-${place}`}
                place={place}
                row={source.rowAt(place)}
                layout={layout}
                isActive={place === active}
              />
            ))}
          </tbody>
        </table>
      </GridFrame>
      <p id={`${id}-keys`} className="hidden">
        {texts.list.keys}
      </p>
    </>
  );
}

const minWidthOf = ({ isCards, columns, widths }: GridLayout): string | undefined =>
  isCards ? undefined : `${columns.reduce((sum, column) => sum + widths.widthOf(column), 0)}rem`;

/** The grid is one tab stop, and arrow keys move between its rows (ARIA grid pattern). */
const gridAttributes = (row: string | undefined) => ({
  role: 'grid',
  tabIndex: 0,
  'aria-activedescendant': row,
});

const placesIn = ({ first, last }: VirtualRows): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** Runs an action when a value changes. */
function useChange<Value>(value: Value, first: Value, action: () => void): void {
  const before = useRef(first);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    action();
  });
}

/** Loads the visible rows after a pause, so that rows scrolled past are not loaded. */
function useLoadVisible(source: RowSource, { first, last }: VirtualRows): void {
  useEffect(() => {
    if (source.version() === 0) source.showRange(first, last);
    const timer = setTimeout(() => source.showRange(first, last), SCROLL_PAUSE);
    return () => clearTimeout(timer);
  }, [source, first, last]);
}

function rowAfter(
  action: Exclude<KeyAction<'list'>, 'open'>,
  row: number,
  inSight: number,
  count: number,
): number {
  switch (action) {
    case 'up':
      return row - 1;
    case 'down':
      return row + 1;
    case 'pageUp':
      return row - inSight;
    case 'pageDown':
      return row + inSight;
    case 'first':
      return 0;
    case 'last':
      return count - 1;
    default:
      return assertNever(action);
  }
}
