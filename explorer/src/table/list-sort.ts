/** The column that the list is sorted by, instead of the date of the period. */

import { type Sort, sortOf } from '../../../src/contract/query/sorting/sort.ts';
import { appliesTo } from '../../../src/contract/record/fields.ts';
import { RECORD_FIELDS, type Role } from '../../../src/contract/record/records.ts';
import type { View } from '../query/view.ts';

/** Undefined for the order by date, which also applies if the role or the kind lacks the field. */
export function sortOfView(role: Role, { kind, listSort }: View): Sort | undefined {
  if (listSort === undefined) return undefined;
  const sort = sortOf(listSort);
  const sorted = RECORD_FIELDS[role].find(({ name }) => name === sort.by);
  return sorted !== undefined && appliesTo(sorted.field, kind) ? sort : undefined;
}
