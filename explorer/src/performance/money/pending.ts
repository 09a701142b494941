/** What is pending by age and by month of creation, what is validated but unpaid, and the last payments. */

import { AGES } from '../../../../src/contract/query/groupings.ts';
import type { Kind } from '../../../../src/contract/record/kinds.ts';
import type { ResultRow } from '../../query/api-query.ts';
import { remunerationBy } from '../remuneration.ts';

export interface CountAndMoney {
  /** Leads and sales only. `money` includes what other kinds earn, such as clicks. */
  readonly count: number;
  /** How many of them are leads. */
  readonly leads: number;
  readonly money: number;
}

const amountOf = (rows: readonly ResultRow[], status: 'pending' | 'validated'): CountAndMoney =>
  rows.reduce<CountAndMoney>(
    ({ count, leads, money }, row) => {
      const leadsOfRow = Number(row[`leads_${status}`] ?? 0);
      return {
        count: count + leadsOfRow + Number(row[`sales_${status}`] ?? 0),
        leads: leads + leadsOfRow,
        money: money + remunerationBy(row, status),
      };
    },
    { count: 0, leads: 0, money: 0 },
  );

export interface AgedAmount extends CountAndMoney {
  readonly age: (typeof AGES)[number]['name'];
}

/** Rows are grouped by age and month, and may be grouped by payment too. */
export const pendingByAge = (rows: readonly ResultRow[]): readonly AgedAmount[] =>
  AGES.map(({ name }) => ({
    age: name,
    ...amountOf(
      rows.filter(({ age }) => age === name),
      'pending',
    ),
  }));

/** What is pending from before a month, given as `YYYY-MM`. */
export const pendingBefore = (rows: readonly ResultRow[], month: string): CountAndMoney =>
  amountOf(
    rows.filter((row) => String(row.month) < month),
    'pending',
  );

/** The present kind if the amount has transactions of it, or else the one of leads and sales that it has. */
export function kindWithin(
  { count, leads }: Pick<CountAndMoney, 'count' | 'leads'>,
  present: Kind,
): Kind {
  const kinds: readonly Kind[] = [
    ...(count > leads ? (['sales'] as const) : []),
    ...(leads > 0 ? (['leads'] as const) : []),
  ];
  return kinds.includes(present) ? present : (kinds[0] ?? 'sales');
}

export interface Payment extends CountAndMoney {
  readonly id: string;
  /** The months of the first and last transactions of the payment, as `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** The payment with the latest transactions first. */
export function paymentsIn(rows: readonly ResultRow[]): readonly Payment[] {
  const paid = rows.filter(({ payment_id: id }) => typeof id === 'string');
  const payments = [...Map.groupBy(paid, ({ payment_id: id }) => String(id))].map(([id, its]) => {
    const months = its.map(({ month }) => String(month)).sort();
    return { id, first: months[0] ?? '', last: months.at(-1) ?? '', ...amountOf(its, 'validated') };
  });
  return payments.sort(
    (one, other) => other.last.localeCompare(one.last) || other.id.localeCompare(one.id),
  );
}

export const unpaidIn = (rows: readonly ResultRow[]): CountAndMoney =>
  amountOf(
    rows.filter(({ payment_id: id }) => id === null),
    'validated',
  );
