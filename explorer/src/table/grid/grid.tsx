/** The table of rows: only those in sight are in the page, and the keyboard goes through all of them. */

import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Order } from '../../../../src/contract/query/parameters.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useReader } from '../../layout/reader-context.tsx';
import { RowSheet } from '../row-sheet.tsx';
import type { RowSource } from '../row-source.ts';
import { useOpenedRow } from '../use-opened-row.ts';
import { useColumnWidths } from './column-widths.ts';
import { GridFrame } from './grid-frame.tsx';
import { GridHead } from './grid-head.tsx';
import { AS_GROUP } from './grid-roles.ts';
import { GridRow } from './grid-row.tsx';
import { useVirtualRows, type VirtualRows } from './virtual-rows.ts';

interface GridProps {
  readonly source: RowSource;
  /** Whether that is of the question before. */
  readonly isOld: boolean;
  readonly order: Order;
  readonly columns: readonly RecordField[];
}

/** Milliseconds for which the list stands still before its rows are read. */
const STILL = 60;

export function Grid({ source, isOld, order, columns }: GridProps) {
  const { texts } = useReader();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(frame, source.count);
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, source.count - 1);
  const { opened, ...sheet } = useOpenedRow(source);
  useSyncExternalStore(source.subscribe, source.version);
  useWanted(source, rows);
  const go = (row: number) => {
    const next = Math.min(source.count - 1, Math.max(0, row));
    setActive(next);
    rows.show(next);
  };
  useTurned(order, () => go(0));
  const open = (row: number) => {
    if (isOld) return;
    setActive(row);
    sheet.open(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const next = rowAfter(event.key, active, rows.rowsInSight, source.count);
    if (event.key === 'Enter') open(active);
    else if (next === undefined) return;
    else go(next);
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent) => {
    // Whoever selects what a cell says wants to copy it.
    if (getSelection()?.isCollapsed === false) return;
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
    if (row !== null) open(Number(row.dataset.place));
  };
  const widthOf = useColumnWidths();
  const width = `${columns.reduce((sum, column) => sum + widthOf(column), 0)}rem`;
  const isActiveThere = active >= rows.first && active <= rows.last;
  return (
    <>
      <GridFrame frame={frame} isOld={isOld} onScroll={rows.onScroll}>
        <table
          {...keyboardAt(isActiveThere ? `${id}-${active}` : undefined)}
          aria-labelledby="list-title"
          aria-describedby={`${id}-keys`}
          aria-rowcount={source.count + 1}
          onKeyDown={onKeyDown}
          onClick={onClick}
          style={{ height: `${rows.height}px`, minWidth: width }}
        >
          <GridHead columns={columns} widthOf={widthOf} />
          <tbody {...AS_GROUP} style={{ transform: `translateY(${rows.top}px)` }}>
            {placesIn(rows).map((place) => (
              <GridRow
                key={place}
                id={`${id}-${place}`}
                place={place}
                row={source.rowAt(place)}
                columns={columns}
                widthOf={widthOf}
                isActive={place === active}
              />
            ))}
          </tbody>
        </table>
      </GridFrame>
      <p id={`${id}-keys`} className="hidden">
        {texts.list.keys}
      </p>
      {opened !== undefined && (
        <RowSheet
          {...opened}
          question={source.question}
          count={source.count}
          go={(next) => {
            go(next);
            sheet.open(next);
          }}
          close={sheet.close}
        />
      )}
    </>
  );
}

/** The table is one stop of the keyboard, within which arrow keys go from row to row (ARIA, grid). */
const keyboardAt = (row: string | undefined) => ({
  role: 'grid',
  tabIndex: 0,
  'aria-activedescendant': row,
});

const placesIn = ({ first, last }: VirtualRows): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** In another order the list is looked at from its beginning. */
function useTurned(order: Order, turned: () => void): void {
  const before = useRef(order);
  useEffect(() => {
    if (before.current === order) return;
    before.current = order;
    turned();
  });
}

/** Rows that are only passed by are not read. */
function useWanted(source: RowSource, { first, last }: VirtualRows): void {
  useEffect(() => {
    if (source.version() === 0) source.want(first, last);
    const timer = setTimeout(() => source.want(first, last), STILL);
    return () => clearTimeout(timer);
  }, [source, first, last]);
}

function rowAfter(key: string, row: number, inSight: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - inSight,
    PageDown: row + inSight,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}
