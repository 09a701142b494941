/** Tabs of the performance table: what it is grouped by. */

import type { PerformanceGrouping } from '../../../../src/contract/query/groupings.ts';
import type { Role } from '../../../../src/contract/record/records.ts';
import type { ResultRow } from '../../query/api-query.ts';
import type { Formats } from '../../ui/formats.ts';

type ValueLabel = (value: string, row: ResultRow, formats: Formats) => string;

const itself: ValueLabel = (value) => value;

const nameOr =
  (field: string): ValueLabel =>
  (id, row) => {
    const name = row[field];
    return typeof name === 'string' && name !== '' ? `${name} (${id})` : id;
  };

interface TabLine {
  readonly grouping: PerformanceGrouping;
  readonly label: ValueLabel;
  /** Whether a click filters by the value: the API has the parameter. */
  readonly isFilter: boolean;
  /** All by default. */
  readonly role?: Role;
}

/** A new tab is a new line. */
// biome-ignore format: one tab a line
const TABS = [
  { grouping: 'program_id', label: nameOr('program_name'), isFilter: true },
  { grouping: 'publisher_id', label: nameOr('publisher_name'), isFilter: true },
  { grouping: 'subid', label: itself, isFilter: true },
  { grouping: 'country', label: (code, _, formats) => formats.country(code), isFilter: true },
  { grouping: 'device_type', label: (type, _, formats) => formats.device(type), isFilter: true },
  { grouping: 'coupon', label: itself, isFilter: false, role: 'admin' },
] as const satisfies readonly TabLine[];

export type TabName = (typeof TABS)[number]['grouping'];

export type Tab = TabLine & { readonly grouping: TabName };

export const TAB_NAMES: readonly TabName[] = TABS.map(({ grouping }) => grouping);

export const tabsOf = (role: Role): readonly Tab[] =>
  TABS.filter((tab: Tab) => tab.role === undefined || tab.role === role);

/** The first tab, if the role does not have the named one. */
export const tabNamed = (name: TabName, role: Role): Tab => {
  const [first = TABS[0], ...others] = tabsOf(role);
  return others.find(({ grouping }) => grouping === name) ?? first;
};
