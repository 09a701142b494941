/** Which columns the list has, and in which order. */

import { useEffect, useRef, useState } from 'react';
import { hasMeaningFor } from '../../../src/contract/record/fields.ts';
import { RECORDS } from '../../../src/contract/record/records.ts';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { nameOf } from '../query/filters.ts';
import { Sheet } from '../ui/sheet.tsx';
import { type Columns, standardColumns, withColumn } from './columns.ts';

export function ColumnPicker({ columns }: { readonly columns: Columns }) {
  const { texts } = useReader();
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
  const { texts } = useReader();
  const { service, view } = useAccess();
  const ofKind = RECORDS[service.role].filter(({ field }) => hasMeaningFor(field, view.kind));
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
  useFocusInSight(chosen);
  return (
    <>
      <ul className="column-list">
        {[...shown, ...others].map((name, at) => (
          // One list, so that a box that goes to another place keeps the focus.
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={at < shown.length}
                // The list is in its order, or would show nothing without it.
                disabled={name === view.dateField || (at === 0 && shown.length === 1)}
                onChange={() => toggle(name)}
              />
              {nameOf(name, texts)}
            </label>
            {at < shown.length && (
              <>
                <Mover
                  label={texts.list.up(nameOf(name, texts))}
                  isOff={at === 0}
                  sign="↑"
                  move={() => swap(name, shown[at - 1])}
                />
                <Mover
                  label={texts.list.down(nameOf(name, texts))}
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

/** What the keyboard has moved stays in sight. */
function useFocusInSight(chosen: readonly string[]): void {
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

interface MoverProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly sign: string;
  move(): void;
}

const Mover = ({ label, isOff, sign, move }: MoverProps) => (
  // Still there at either end, so that the keyboard is not lost.
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
