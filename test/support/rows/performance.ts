/** Computes performance from lists, to compare it with that of the service. */

import type { PerformanceGrouping } from '../../../src/contract/query/groupings.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import {
  groupsOf,
  type JsonRecord,
  millionthsOf,
  type RecordOfKind,
  shownMillionths,
} from './summaries.ts';

const STATUSES = { refused: '0', validated: '1', pending: '2' } as const;

type Rows = readonly RecordOfKind[];

const ofKind = (rows: Rows, ...kinds: readonly string[]): Rows =>
  rows.filter(({ kind }) => kinds.includes(kind));

const ofStatus = (rows: Rows, ...statuses: readonly string[]): Rows =>
  rows.filter(({ record }) => statuses.includes(String(record.status)));

/** A measure of all statuses, and of each status. */
const byStatus = (name: string, rows: Rows, measure: (rows: Rows) => number) => ({
  [name]: measure(rows),
  ...Object.fromEntries(
    Object.entries(STATUSES).map(([status, code]) => [
      `${name}_${status}`,
      measure(ofStatus(rows, code)),
    ]),
  ),
});

/** The quotient of two numbers of millionths, rounded half away from zero to six decimal places. */
export function ratioOf(numerator: bigint, denominator: bigint): number | null {
  if (denominator === 0n) return null;
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude * 1_000_000n + denominator) / (2n * denominator);
  return shownMillionths(numerator < 0n ? -rounded : rounded);
}

function measuresOf(rows: Rows, role: Role): JsonRecord {
  const sum = (name: string) => (of: Rows) => shownMillionths(millionthsOf(name, of));
  const count = (of: Rows) => of.length;
  const [leads, sales] = [ofKind(rows, 'leads'), ofKind(rows, 'sales')];
  const actions = [...leads, ...sales];
  const paid = role === 'admin' ? 'remu_publisher' : 'remuneration';
  const events = (kind: string) => millionthsOf('total', ofKind(rows, kind));
  const countOf = (of: Rows) => BigInt(of.length) * 1_000_000n;
  const earned = millionthsOf(paid, ofStatus(rows, '1', '2'));
  const moneyOfProgram = {
    ...byStatus('amount', sales, sum('amount')),
    ...byStatus('remu_program', rows, sum('remu_program')),
  };
  const averageOrder = ratioOf(millionthsOf('amount', sales), countOf(sales));
  return {
    impressions: shownMillionths(events('impressions')),
    clics: shownMillionths(events('clics')),
    dbclicks: shownMillionths(events('dbclicks')),
    ...byStatus('leads', leads, count),
    ...byStatus('sales', sales, count),
    ...(role === 'admin' ? moneyOfProgram : {}),
    ...byStatus(paid, rows, sum(paid)),
    earnings: shownMillionths(earned),
    click_through_rate: ratioOf(events('clics'), events('impressions')),
    conversion_rate: ratioOf(countOf(actions), events('clics')),
    earnings_per_click: ratioOf(earned, events('clics')),
    approval_rate: ratioOf(
      countOf(ofStatus(actions, STATUSES.validated)),
      countOf(ofStatus(actions, STATUSES.validated, STATUSES.refused)),
    ),
    ...(role === 'admin' ? { average_order_value: averageOrder } : {}),
  };
}

/** The records in the order of their groups. With `former`, each has the measures of the former rows too. */
export const performanceOf = (
  rows: Rows,
  role: Role,
  groupings: readonly PerformanceGrouping[],
  former?: Rows,
): readonly JsonRecord[] => {
  const formerRows = new Set(former);
  return groupsOf([...rows, ...formerRows], groupings, 'created_at').map((group) => ({
    ...Object.fromEntries(groupings.map((grouping, at) => [grouping, group.keys[at]])),
    ...measuresOf(
      group.rows.filter((row) => !formerRows.has(row)),
      role,
    ),
    ...(former === undefined
      ? {}
      : withPrefix(
          'former_',
          measuresOf(
            group.rows.filter((row) => formerRows.has(row)),
            role,
          ),
        )),
  }));
};

const withPrefix = (prefix: string, record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));

/** Sorts by a measure, null last. Equal records keep their order. */
export function sortedBy(sort: string, records: readonly JsonRecord[]): readonly JsonRecord[] {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  return records.toSorted((one, other) => {
    const [a, b] = [one[name], other[name]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (Number(a) - Number(b));
  });
}
