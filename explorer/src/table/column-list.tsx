/** Columns of the kind with checkboxes, in an order that dragging and buttons change. */

import { type DragEvent, useEffect, useRef, useState } from 'react';
import { sortFieldOf } from '../../../src/contract/query/sorting/list-sorts.ts';
import { appliesTo } from '../../../src/contract/record/fields.ts';
import { RECORD_FIELDS, type Role } from '../../../src/contract/record/records.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import type { View } from '../query/view.ts';
import { ColumnButtons } from './column-buttons.tsx';
import { type Columns, withColumn } from './columns.ts';
import { useColumnWidths } from './grid/use-column-widths.ts';
import { sortOfView } from './list-sort.ts';
import { movedColumn } from './moved-column.ts';

export function ColumnList({ columns }: { readonly columns: Columns }) {
  const { chosen, forced, choose, chooseStandard } = columns;
  const { texts } = useLocalization();
  const { service, view } = useExplorer();
  const widths = useColumnWidths();
  const ofKind = RECORD_FIELDS[service.role].filter(({ field }) => appliesTo(field, view.kind));
  const inOrder = [
    ...chosen.flatMap((name) => ofKind.filter((column) => column.name === name)),
    ...ofKind.filter(({ name }) => !chosen.includes(name)),
  ];
  const shown = inOrder.map(({ name }) => name).filter((name) => chosen.includes(name));
  // A column that is shown only because the list is sorted by it keeps its position in the standard order.
  const movable = shown.filter((name) => name !== forced);
  const toggle = (name: string) =>
    choose(
      chosen.includes(name)
        ? chosen.filter((other) => other !== name)
        : withColumn(chosen, name, service.role),
    );
  const needed = neededColumns(columns, service.role, view);
  const dragOf = useColumnDrag(chosen, choose);
  useScrollToFocus(chosen);
  return (
    <>
      <ul className="column-list">
        {inOrder.map((column, at) => (
          // Shown and hidden columns are in one list, so that a checkbox that moves keeps the focus.
          <li key={column.name} {...dragOf(column.name, movable.includes(column.name))}>
            <label>
              <input
                type="checkbox"
                checked={at < shown.length}
                // The list needs at least one column.
                disabled={needed.includes(column.name) || (at === 0 && shown.length === 1)}
                onChange={() => toggle(column.name)}
              />
              {fieldLabel(column.name, texts)}
            </label>
            {at < shown.length && (
              <ColumnButtons
                column={column}
                widths={widths}
                neighbours={neighboursOf(column.name, movable)}
                swap={(other) => choose(swapped(chosen, column.name, other))}
              />
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="wide"
        onClick={() => {
          chooseStandard();
          widths.reset();
        }}
      >
        {texts.list.standard}
      </button>
    </>
  );
}

/** The columns that the list cannot do without: the date of the period, and the column that it is sorted by. */
function neededColumns({ shown }: Columns, role: Role, view: View): readonly string[] {
  const sort = sortOfView(role, view);
  // A status and its label have the same sort field, so one of them is enough.
  const sorted = shown.filter((column) => sortFieldOf(column) === sort?.by);
  return [view.dateField, ...(sorted.length === 1 ? sorted.map(({ name }) => name) : [])];
}

function neighboursOf(
  name: string,
  movable: readonly string[],
): readonly [string | undefined, string | undefined] {
  const at = movable.indexOf(name);
  return at < 0 ? [undefined, undefined] : [movable[at - 1], movable[at + 1]];
}

const swapped = (names: readonly string[], one: string, other: string): readonly string[] =>
  names.map((name) => {
    if (name === one) return other;
    return name === other ? one : name;
  });

/** The attributes of a list item that is dragged to another position. */
function useColumnDrag(chosen: readonly string[], choose: (names: readonly string[]) => void) {
  const [dragged, setDragged] = useState<string>();
  return (name: string, isShown: boolean) => ({
    draggable: isShown,
    className: name === dragged ? 'dragged' : undefined,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      // Firefox drags nothing without data.
      dataTransfer.setData('text/plain', name);
      setDragged(name);
    },
    onDragEnd: () => setDragged(undefined),
    // The list shows the new order while the column is dragged.
    onDragEnter: () => {
      if (dragged !== undefined && dragged !== name) choose(movedColumn(chosen, dragged, name));
    },
    onDragOver: (event: DragEvent) => event.preventDefault(),
  });
}

/** Scrolls to the focused button after its column has moved. */
function useScrollToFocus(chosen: readonly string[]): void {
  const order = chosen.join();
  const before = useRef(order);
  useEffect(() => {
    if (before.current === order) return;
    before.current = order;
    const { activeElement } = document;
    if (activeElement?.matches(':focus-visible'))
      activeElement.scrollIntoView({ block: 'nearest' });
  }, [order]);
}
