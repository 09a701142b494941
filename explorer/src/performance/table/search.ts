/** Search of the performance table by parts of names, whatever their case and accents. */

import type { ResultRow } from '../../query/api-query.ts';
import type { Formats } from '../../ui/formats.ts';
import type { Tab } from './tabs.ts';

const normalized = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();

export function rowsNamed(
  search: string,
  rows: readonly ResultRow[],
  { grouping, label }: Tab,
  formats: Formats,
): readonly ResultRow[] {
  const wanted = normalized(search.trim());
  return rows.filter((row) => {
    const value = row[grouping];
    if (value === undefined) return false;
    return (
      wanted === '' ||
      (value !== null && normalized(label(String(value), row, formats)).includes(wanted))
    );
  });
}
