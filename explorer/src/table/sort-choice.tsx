/** Select for the order of the list on phones, whose cards have no column headers. */

import { useId } from 'react';
import { sortFieldOf } from '../../../src/contract/query/sorting/list-sorts.ts';
import type { RecordField } from '../../../src/contract/record/records.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { sortOfView } from './list-sort.ts';
import {
  type Direction,
  directionOf,
  directionWords,
  firstDirection,
  OPPOSITE,
  viewSortedBy,
} from './sort-directions.ts';

interface Choice {
  readonly value: string;
  readonly column: RecordField;
  readonly direction: Direction;
}

export function SortChoice({ columns }: { readonly columns: readonly RecordField[] }) {
  const { texts } = useLocalization();
  const { service, view, change } = useExplorer();
  const id = useId();
  const sort = sortOfView(service.role, view);
  const choices = choicesOf(columns);
  const chosen = choices.find(
    ({ column, direction }) => directionOf(column, sort, view) === direction,
  );
  return (
    <span className="inline sort-choice">
      <label className="label" htmlFor={id}>
        {texts.list.sortBy}
      </label>
      <select
        id={id}
        value={chosen?.value}
        onChange={({ target }) => {
          const choice = choices.find(({ value }) => value === target.value);
          if (choice !== undefined) change(viewSortedBy(choice.column, choice.direction, view));
        }}
      >
        {choices.map(({ value, column, direction }) => (
          <option key={value} value={value}>
            {`${fieldLabel(column.name, texts)}, ${directionWords(column, direction, texts)}`}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Both directions of each column, except for a second column with the same sort field. */
function choicesOf(columns: readonly RecordField[]): readonly Choice[] {
  const fields = columns.map(sortFieldOf);
  return columns
    .filter((column, at) => fields.indexOf(sortFieldOf(column)) === at)
    .flatMap((column) => {
      const first = firstDirection(column);
      return [first, OPPOSITE[first]].map((direction) => ({
        value: `${column.name} ${direction}`,
        column,
        direction,
      }));
    });
}
