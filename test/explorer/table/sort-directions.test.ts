import { expect, test } from 'vitest';
import { DEFAULT_VIEW } from '../../../explorer/src/query/view.ts';
import { sortOfView } from '../../../explorer/src/table/list-sort.ts';
import {
  directionOf,
  firstDirection,
  nextDirection,
  viewSortedBy,
} from '../../../explorer/src/table/sort-directions.ts';
import { RECORD_FIELDS } from '../../../src/contract/record/records.ts';

const columnNamed = (name: string) => {
  const column = RECORD_FIELDS.admin.find((one) => one.name === name);
  if (column === undefined) throw new Error(name);
  return column;
};

test.each([
  ['amount', 'descending'],
  ['total', 'descending'],
  ['updated_at', 'descending'],
  ['country', 'ascending'],
  ['subid', 'ascending'],
  ['status_label', 'ascending'],
  ['program_id', 'ascending'],
] as const)(
  'the first click on %s sorts in %s order, the third one by date again',
  (name, first) => {
    const column = columnNamed(name);
    expect(firstDirection(column)).toBe(first);
    let view = DEFAULT_VIEW;
    const seen = [0, 1, 2].map(() => {
      const kind = name === 'total' ? 'clics' : 'sales';
      const direction = directionOf(column, sortOfView('admin', { ...view, kind }), view);
      const next = nextDirection(column, direction, view);
      view =
        next === undefined
          ? { ...view, listSort: undefined }
          : { ...view, ...viewSortedBy(column, next, view) };
      return view.listSort;
    });
    const field = name === 'status_label' ? 'status' : name;
    expect(seen).toEqual(
      first === 'descending' ? [`-${field}`, field, undefined] : [field, `-${field}`, undefined],
    );
  },
);

test('the column of the queried date reverses the order, and ends a sort by another column', () => {
  const column = columnNamed('created_at');
  expect(viewSortedBy(column, 'ascending', DEFAULT_VIEW)).toEqual({
    listSort: undefined,
    order: 'asc',
  });
  expect(directionOf(column, undefined, DEFAULT_VIEW)).toBe('descending');
  expect(nextDirection(column, 'ascending', DEFAULT_VIEW)).toBe('descending');
});

test('a sort by a field that the role or the kind lacks is ignored', () => {
  const view = { ...DEFAULT_VIEW, listSort: '-amount' };
  expect(sortOfView('admin', view)).toEqual({ by: 'amount', isDescending: true });
  expect(sortOfView('affiliate', view)).toBeUndefined();
  expect(sortOfView('admin', { ...view, kind: 'leads' })).toBeUndefined();
});
