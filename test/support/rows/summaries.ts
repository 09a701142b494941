/** Computes summaries from lists, to compare them with those of the service. */

import { type Grouping, isTimeUnit } from '../../../src/contract/query/groupings.ts';
import type { DateField } from '../../../src/contract/query/parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A record of a list, and the kind of the list. */
export interface RecordOfKind {
  readonly kind: string;
  readonly record: JsonRecord;
}

export interface Group {
  /** The expected record of the service, without the fingerprint. */
  readonly record: JsonRecord;
  readonly rows: readonly RecordOfKind[];
}

const SUMMED_FIELDS = {
  admin: ['total', 'remu_program', 'remu_publisher', 'amount'],
  affiliate: ['total', 'remuneration'],
} as const satisfies Record<Role, readonly string[]>;

const DAY = 86_400_000;

function mondayOf(day: string): string {
  const midnight = Date.parse(day);
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - sinceMonday * DAY).toISOString().slice(0, 10);
}

function nameIn(grouping: Grouping, { kind, record }: RecordOfKind, dateField: DateField): unknown {
  if (grouping === 'type') return kind;
  if (grouping === 'age') throw new Error('Ages depend on the day of the test.');
  if (!isTimeUnit(grouping)) return record[grouping];
  const date = String(record[dateField]);
  const day = date.slice(0, 10);
  return { hour: `${date.slice(0, 13)}:00`, day, week: mondayOf(day), month: day.slice(0, 7) }[
    grouping
  ];
}

/** The sum of a field, in millionths because numbers have at most six decimal places. */
export const millionthsOf = (name: string, rows: readonly RecordOfKind[]): bigint =>
  rows.reduce((all, { record }) => all + BigInt(Math.round(Number(record[name] ?? 0) * 1e6)), 0n);

/** The number that a response shows for a sum in millionths. */
export const shownMillionths = (millionths: bigint): number => Number(millionths) / 1e6;

/** The rows of a group, and the values of its groupings. */
interface GroupedRows {
  readonly keys: readonly unknown[];
  readonly rows: readonly RecordOfKind[];
}

/** The groups in order; without groupings, one group of all rows. */
export function groupsOf(
  rows: readonly RecordOfKind[],
  groupings: readonly Grouping[],
  dateField: DateField,
): readonly GroupedRows[] {
  const groups = new Map<string, RecordOfKind[]>(groupings.length === 0 ? [['[]', []]] : []);
  for (const row of rows) {
    const key = JSON.stringify(groupings.map((grouping) => nameIn(grouping, row, dateField)));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups]
    .map(([key, of]) => ({ keys: JSON.parse(key) as readonly unknown[], rows: of }))
    .sort((one, other) => compared(one.keys, other.keys));
}

/** The summary of rows in order. */
export const summaryOf = (
  rows: readonly RecordOfKind[],
  role: Role,
  groupings: readonly Grouping[],
  dateField: DateField,
): readonly Group[] =>
  groupsOf(rows, groupings, dateField).map(({ keys, rows: of }) => {
    const names = groupings.flatMap((grouping, at): [string, unknown][] =>
      grouping === 'status'
        ? [
            ['status', keys[at]],
            ['status_label', of[0]?.record.status_label],
          ]
        : [[grouping, keys[at]]],
    );
    const sums = SUMMED_FIELDS[role].map(
      (name) => [name, shownMillionths(millionthsOf(name, of))] as const,
    );
    return { record: Object.fromEntries([...names, ['count', of.length], ...sums]), rows: of };
  });

/** Compares value by value: numbers by size, kinds in their order, texts by bytes, null last. */
function compared(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    const kinds = [a, b].map((value) => (KINDS as readonly unknown[]).indexOf(value));
    if (!kinds.includes(-1)) return (kinds[0] ?? 0) - (kinds[1] ?? 0);
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  }
  return 0;
}
