/** Search of groups by parts of their names and identifiers, regardless of case and accents. */

import { folded } from '../../../src/contract/folded-text.ts';
import type { ResultRow } from '../query/api-query.ts';
import type { LocaleFormats } from './formats.ts';
import { groupNameOf, labelWithId } from './group-name.ts';

/** Leaves out rows of another grouping: the previous response may be passed while the next is loading. */
export function searchGroups(
  search: string,
  rows: readonly ResultRow[],
  grouping: string,
  formats: LocaleFormats,
): readonly ResultRow[] {
  const wanted = folded(search.trim());
  return rows.filter((row) => {
    if (row[grouping] === undefined) return false;
    const name = groupNameOf(grouping, row, formats);
    return wanted === '' || (name !== undefined && folded(labelWithId(name)).includes(wanted));
  });
}
