/** The heads of the columns; that of the date turns the order. */

import type { RecordField } from '../../../src/contract/records.ts';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import { useReader } from '../reader.tsx';
import { isNumeric, widthOf } from './columns.ts';

export const GridHead = ({ columns }: { readonly columns: readonly RecordField[] }) => (
  <thead>
    <tr aria-rowindex={1}>
      {columns.map((column) => (
        <HeadCell key={column.name} column={column} />
      ))}
    </tr>
  </thead>
);

function HeadCell({ column }: { readonly column: RecordField }) {
  const { texts } = useReader();
  const { view } = useAsker();
  const isSorted = column.name === view.dateField;
  const sorted = view.order === 'desc' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className={isNumeric(column) ? 'number' : undefined}
      style={{ width: `${widthOf(column)}rem` }}
    >
      {isSorted ? <OrderButton name={nameOf(column.name, texts)} /> : nameOf(column.name, texts)}
    </th>
  );
}

function OrderButton({ name }: { readonly name: string }) {
  const { texts } = useReader();
  const { view, change } = useAsker();
  const isDescending = view.order === 'desc';
  const order = isDescending ? texts.list.newest : texts.list.oldest;
  return (
    <button
      type="button"
      className="quiet"
      title={texts.list.sort}
      aria-label={`${name}, ${order}. ${texts.list.sort}`}
      onClick={() => change({ order: isDescending ? 'asc' : 'desc' })}
    >
      {name} <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>
    </button>
  );
}
