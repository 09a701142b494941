/** Table of performance, or cards on phones: each group with sortable measures and a button that filters by it. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { Change } from '../../comparison/change.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { selectedValues, toggleFilter } from '../../overview/toggle-filter.ts';
import type { ResultRow } from '../../query/api-query.ts';
import { HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE } from '../../table/grid/grid-roles.ts';
import { groupNameOf, labelWithId } from '../../ui/group-name.ts';
import { scrollableByKeys } from '../../ui/scrollable-by-keys.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { isComparedRow } from '../performance-query.ts';
import { type Column, columnsOf, formatCell, nextSort } from './columns.ts';
import { Sparkline } from './sparkline.tsx';
import type { Tab } from './tabs.ts';
import type { TableQuery } from './use-table.ts';
import type { Trends } from './use-trends.ts';

interface PerformanceTableProps {
  readonly table: TableQuery;
  readonly rows: readonly ResultRow[];
  /** The id of the heading. */
  readonly title: string;
  /** Whether there is room for identifiers beside names. */
  readonly hasIds?: boolean | undefined;
  /** A sparkline for each row; undefined for a table without them. */
  readonly trends?: Trends | undefined;
}

// Browsers may drop the roles of tables with another CSS layout, such as cards.
const TABLE_ROLE = { role: 'table' };
const ROW_HEADER_ROLE = { role: 'rowheader' };
const CELL_ROLE = { role: 'cell' };

export function PerformanceTable({ table, rows, title, trends, hasIds }: PerformanceTableProps) {
  const { texts, formats } = useLocalization();
  const { service } = useExplorer();
  const { tab, isCompared } = table;
  const columns = columnsOf(service.role);
  const isNarrow = useNarrow();
  return (
    <div {...scrollableByKeys(title)} className="scrolled">
      <table className="performance-rows" {...TABLE_ROLE}>
        <thead {...ROW_GROUP_ROLE}>
          <tr {...ROW_ROLE}>
            <th scope="col" {...HEADER_ROLE}>
              {texts.performance.tab[tab.grouping]}
            </th>
            {columns.map((column) => (
              <Heading key={column.name} column={column} table={table} />
            ))}
          </tr>
        </thead>
        <tbody {...ROW_GROUP_ROLE}>
          {rows.map((row) => (
            <tr {...ROW_ROLE} key={String(row[tab.grouping])}>
              <th scope="row" {...ROW_HEADER_ROLE}>
                <div className="group-cell">
                  <Group row={row} tab={tab} hasId={hasIds} />
                  {trends && <Sparkline trends={trends} value={String(row[tab.grouping])} />}
                </div>
              </th>
              {columns.map((column) => (
                <td {...CELL_ROLE} key={column.name}>
                  {isNarrow && (
                    <span className="card-label" aria-hidden="true">
                      {texts.performance.columns[column.name]}
                    </span>
                  )}
                  {formatCell(row, column, formats)}
                  {isCompared && isComparedRow(row) && column.name === 'earnings' && (
                    <span className="cell-change soft">
                      <Change now={Number(row.earnings)} before={Number(row.former_earnings)} />
                    </span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps {
  readonly column: Column;
  readonly table: TableQuery;
}

function Heading({ column: { name }, table: { sort } }: HeadingProps) {
  const { texts } = useLocalization();
  const { change } = useExplorer();
  const direction = sort === name ? 'ascending' : 'descending';
  const isSorted = sort === name || sort === `-${name}`;
  return (
    <th scope="col" {...HEADER_ROLE} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        className={isSorted ? 'quiet sort sorted' : 'quiet sort'}
        onClick={() => change({ sort: nextSort(name, sort) })}
      >
        {texts.performance.columns[name]}
        <span aria-hidden="true">{isSorted && (direction === 'ascending' ? ' ↑' : ' ↓')}</span>
      </button>
    </th>
  );
}

interface GroupProps {
  readonly row: ResultRow;
  readonly tab: Tab;
  readonly hasId?: boolean | undefined;
}

/** The group's name: a button that filters by it. */
function Group({ row, tab, hasId = false }: GroupProps) {
  const { texts, formats } = useLocalization();
  const { view, change } = useExplorer();
  const { grouping } = tab;
  const named = groupNameOf(grouping, row, formats);
  if (named === undefined) return <span className="soft">{texts.glance.unknown}</span>;
  const label = labelWithId(named);
  const name = hasId ? label : named.name;
  if (!tab.isFilter) return name;
  const value = String(row[grouping]);
  const isPressed = selectedValues(view.filters, grouping).includes(value);
  return (
    <button
      type="button"
      className="quiet group-filter"
      aria-pressed={isPressed}
      title={isPressed ? texts.ask.remove(label) : texts.glance.only(label)}
      onClick={() =>
        change({ filters: toggleFilter(view.filters, grouping, value), isFull: false })
      }
    >
      {name}
    </button>
  );
}
