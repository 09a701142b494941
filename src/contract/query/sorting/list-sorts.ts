/** What lists can be sorted by: the fields of the role's record that have a stored column. */

import { choosableFields } from '../../record/directory.ts';
import { isStored } from '../../record/fields.ts';
import { RECORD_FIELDS, type RecordField, type Role } from '../../record/records.ts';
import { inBothOrders, readSort, sortOf, sortText } from './sort.ts';

/** The field to sort a column by: a label is sorted by its status, and a name by its identifier. */
export function sortFieldOf({ name, field }: RecordField): string {
  if (field.nameOf !== undefined) return field.nameOf;
  return field.type === 'status_label' ? 'status' : name;
}

const sortableNames = (role: Role): readonly string[] =>
  RECORD_FIELDS[role].filter(({ field }) => isStored(field)).map(({ name }) => name);

/** The values of the parameter `sort`. */
export const listSorts = (role: Role): readonly string[] => inBothOrders(sortableNames(role));

export function readListSort(text: string, role: Role): string {
  const sort = sortOf(text);
  const names = sortableNames(role);
  const derived = choosableFields(role).find(({ name }) => name === sort.by);
  const hint =
    derived === undefined
      ? undefined
      : ` Lists are not sorted by labels and names: use "${sortText({ ...sort, by: sortFieldOf(derived) })}".`;
  return readSort(text, names, 'a field of the record, such as "created_at"', hint);
}
