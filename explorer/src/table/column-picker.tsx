/** Column picker: a sheet to choose and order the columns of the list. */

import { useEffect, useRef, useState } from 'react';
import { appliesTo } from '../../../src/contract/record/fields.ts';
import { RECORDS } from '../../../src/contract/record/records.ts';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { Sheet } from '../ui/sheet.tsx';
import { type Columns, standardColumns, withColumn } from './columns.ts';
import { movedColumn } from './moved-column.ts';

export function ColumnPicker({ columns }: { readonly columns: Columns }) {
  const { texts } = useLocalization();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.list.columns}
      </button>
      {isOpen && (
        <Sheet title={texts.list.columns} close={() => setOpen(false)}>
          <p className="soft">{texts.list.columnsIntro}</p>
          <ColumnList columns={columns} />
        </Sheet>
      )}
    </>
  );
}

function ColumnList({ columns: { chosen, choose } }: { readonly columns: Columns }) {
  const { texts } = useLocalization();
  const { service, view } = useAccess();
  const ofKind = RECORDS[service.role].filter(({ field }) => appliesTo(field, view.kind));
  const isOfKind = (name: string) => ofKind.some((column) => column.name === name);
  const shown = chosen.filter(isOfKind);
  const others = ofKind.map(({ name }) => name).filter((name) => !chosen.includes(name));
  const swap = (one: string, other: string | undefined) =>
    choose(
      chosen.map((name) => {
        if (name === one) return other ?? name;
        return name === other ? one : name;
      }),
    );
  const toggle = (name: string) =>
    choose(
      chosen.includes(name)
        ? chosen.filter((other) => other !== name)
        : withColumn(chosen, name, service.role),
    );
  const [dragged, setDragged] = useState<string>();
  useScrollToFocus(chosen);
  return (
    <>
      <ul className="column-list">
        {[...shown, ...others].map((name, at) => (
          // One list, so that a checkbox keeps the focus when it moves.
          <li
            key={name}
            draggable={at < shown.length}
            className={name === dragged ? 'dragged' : undefined}
            onDragStart={({ dataTransfer }) => {
              // Firefox drags nothing without data.
              dataTransfer.setData('text/plain', name);
              setDragged(name);
            }}
            onDragEnd={() => setDragged(undefined)}
            // The list shows the new order while the column is dragged.
            onDragEnter={() => {
              if (dragged !== undefined && dragged !== name) {
                choose(movedColumn(chosen, dragged, name));
              }
            }}
            onDragOver={(event) => event.preventDefault()}
          >
            <label>
              <input
                type="checkbox"
                checked={at < shown.length}
                // The list needs the column that it is sorted by, and at least one column.
                disabled={name === view.dateField || (at === 0 && shown.length === 1)}
                onChange={() => toggle(name)}
              />
              {fieldLabel(name, texts)}
            </label>
            {at < shown.length && (
              <>
                <MoveButton
                  label={texts.list.up(fieldLabel(name, texts))}
                  isOff={at === 0}
                  sign="↑"
                  move={() => swap(name, shown[at - 1])}
                />
                <MoveButton
                  label={texts.list.down(fieldLabel(name, texts))}
                  isOff={at === shown.length - 1}
                  sign="↓"
                  move={() => swap(name, shown[at + 1])}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      <button type="button" className="wide" onClick={() => choose(standardColumns(service.role))}>
        {texts.list.standard}
      </button>
    </>
  );
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

interface MoveButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly sign: string;
  move(): void;
}

const MoveButton = ({ label, isOff, sign, move }: MoveButtonProps) => (
  // Not disabled at either end, so that it keeps the focus.
  <button
    type="button"
    className="quiet icon"
    aria-label={label}
    aria-disabled={isOff}
    onClick={isOff ? undefined : move}
  >
    {sign}
  </button>
);
