/** Commission models: what a program pays its publishers for, and how much. */

import { assertNever } from '../../contract/assert-never.ts';
import type { Kind } from '../../contract/record/kinds.ts';

/** Prices in euros; `basket` is the median amount of a sale. */
export type Commission =
  | {
      readonly model: 'percentage';
      readonly percent: number;
      readonly basket: number;
      readonly target: 'checkout' | 'subscription';
    }
  | { readonly model: 'lead'; readonly price: number; readonly target: 'newsletter' | 'quote' }
  | { readonly model: 'click'; readonly price: number }
  | { readonly model: 'thousand'; readonly price: number };

/** The fields of a transaction that determine the commission. */
interface PaidEvent {
  readonly kind: Kind;
  readonly total: number | null;
  readonly amount: number | null;
}

/** Euros with at most four decimals. */
export function remunerationOf(commission: Commission, event: PaidEvent): number {
  const { kind, total, amount } = event;
  switch (commission.model) {
    case 'percentage':
      return kind === 'sales' ? roundedEuros(((amount ?? 0) * commission.percent) / 100) : 0;
    case 'lead':
      return kind === 'leads' ? commission.price : 0;
    case 'click':
      return kind === 'clics' ? roundedEuros((total ?? 0) * commission.price) : 0;
    case 'thousand':
      return kind === 'impressions' ? roundedEuros(((total ?? 0) * commission.price) / 1000) : 0;
    default:
      return assertNever(commission);
  }
}

/** Rounds to four decimals. They are precise enough for a single click, and never printed with an exponent. */
export const roundedEuros = (euros: number): number => Math.round(euros * 10_000) / 10_000;
