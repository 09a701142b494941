/** Tabs of the performance table: what it is grouped by. */

import type { PerformanceGrouping } from '../../../../src/contract/query/groupings.ts';
import type { Role } from '../../../../src/contract/record/records.ts';

interface TabLine {
  readonly grouping: PerformanceGrouping;
  /** Whether a click filters by the value, because the API has a parameter for it. */
  readonly isFilter: boolean;
  /** All by default. */
  readonly role?: Role;
}

/** To add a tab, add a line. */
// biome-ignore format: one tab a line
const TABS = [
  { grouping: 'program_id', isFilter: true },
  { grouping: 'publisher_id', isFilter: true },
  { grouping: 'subid', isFilter: true },
  { grouping: 'country', isFilter: true },
  { grouping: 'device_type', isFilter: true },
  { grouping: 'coupon', isFilter: false, role: 'admin' },
] as const satisfies readonly TabLine[];

export type TabName = (typeof TABS)[number]['grouping'];

export type Tab = TabLine & { readonly grouping: TabName };

export const tabsOf = (role: Role): readonly Tab[] =>
  TABS.filter((tab: Tab) => tab.role === undefined || tab.role === role);

/** The named tab, or the first one if the role does not have it. */
export const tabNamed = (name: TabName, role: Role): Tab => {
  const [first = TABS[0], ...others] = tabsOf(role);
  return others.find(({ grouping }) => grouping === name) ?? first;
};
