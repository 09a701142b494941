/** Which columns the list has, and in which order. */

import { useState } from 'react';
import { hasMeaningFor } from '../../../src/contract/fields.ts';
import { RECORDS } from '../../../src/contract/records.ts';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import { useReader } from '../reader.tsx';
import { Sheet } from '../sheet.tsx';
import { type Columns, standardColumns } from './columns.ts';

export function ColumnChoice({ columns }: { readonly columns: Columns }) {
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
  const { service, view } = useAsker();
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
  return (
    <>
      <ul className="column-list">
        {shown.map((name, at) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked
                // The list is in its order, or would show nothing without it.
                disabled={name === view.dateField || shown.length === 1}
                onChange={() => choose(chosen.filter((other) => other !== name))}
              />
              {nameOf(name, texts)}
            </label>
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
          </li>
        ))}
        {others.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={false} onChange={() => choose([...chosen, name])} />
              {nameOf(name, texts)}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" className="wide" onClick={() => choose(standardColumns(service.role))}>
        {texts.list.standard}
      </button>
    </>
  );
}

interface MoverProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly sign: string;
  move(): void;
}

const Mover = ({ label, isOff, sign, move }: MoverProps) => (
  <button type="button" className="quiet icon" aria-label={label} disabled={isOff} onClick={move}>
    {sign}
  </button>
);
