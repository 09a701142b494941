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
  if (!isTimeUnit(grouping)) return record[grouping];
  const day = String(record[dateField]).slice(0, 10);
  return { day, week: mondayOf(day), month: day.slice(0, 7) }[grouping];
}

/** In millionths, because numbers have at most six decimal places. */
function sumOf(name: string, rows: readonly RecordOfKind[]): number {
  const millionths = rows.map(({ record }) => BigInt(Math.round(Number(record[name] ?? 0) * 1e6)));
  return Number(millionths.reduce((all, one) => all + one, 0n)) / 1e6;
}

/** The groups in order; without groupings, one group of all rows. */
export function summaryOf(
  rows: readonly RecordOfKind[],
  role: Role,
  groupings: readonly Grouping[],
  dateField: DateField,
): readonly Group[] {
  const keyOf = (row: RecordOfKind) =>
    groupings.map((grouping) => nameIn(grouping, row, dateField));
  const groups = new Map<string, RecordOfKind[]>(groupings.length === 0 ? [['[]', []]] : []);
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const sorted = [...groups].sort(([one], [other]) => compared(JSON.parse(one), JSON.parse(other)));
  return sorted.map(([key, of]) => {
    const values = JSON.parse(key) as readonly unknown[];
    const names = groupings.flatMap((grouping, at): [string, unknown][] =>
      grouping === 'status'
        ? [
            ['status', values[at]],
            ['status_label', of[0]?.record.status_label],
          ]
        : [[grouping, values[at]]],
    );
    const sums = SUMMED_FIELDS[role].map((name) => [name, sumOf(name, of)] as const);
    return { record: Object.fromEntries([...names, ['count', of.length], ...sums]), rows: of };
  });
}

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
