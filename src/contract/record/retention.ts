/** How many months of each kind of transactions are kept. */

import type { Temporal } from 'temporal-polyfill';
import { isKind, KINDS, type Kind } from './kinds.ts';

/** The number of whole months before the present one that are kept; a kind without a number is kept for ever. */
export type Retention = { readonly [kind in Kind]?: number };

/** The first month of each kind that is kept, as `YYYYMM` on the platform's clock. */
export type KeptFrom = { readonly [kind in Kind]?: string };

const EXPECTED = `must name months for types, such as "impressions=13 months, *=37 months"; the types are ${KINDS.join(', ')}, and * stands for all other types`;

const RULE = /^(\w+|\*) *= *([1-9]\d{0,3}) *months?$/;

/** Parses `impressions=13 months, *=37 months`. */
export function readRetention(text: string): Retention {
  const rules = new Map(text.split(',').map((rule) => readRule(rule.trim())));
  if (rules.size < text.split(',').length) throw new Error(EXPECTED);
  const others = rules.get('*');
  const months = KINDS.map((kind) => [kind, rules.get(kind) ?? others] as const);
  return Object.fromEntries(months.filter(([, count]) => count !== undefined));
}

function readRule(text: string): readonly [Kind | '*', number] {
  const [, name = '', months] = RULE.exec(text) ?? [];
  if (name !== '*' && !isKind(name)) throw new Error(EXPECTED);
  return [name, Number(months)];
}

/** The first month of each kind that is kept. A month is removed when all its rows are older than the retention. */
export function keptFrom(retention: Retention, today: Temporal.PlainDate): KeptFrom {
  const firstOf = (months: number) =>
    today.toPlainYearMonth().subtract({ months }).toString().replace('-', '');
  return Object.fromEntries(
    Object.entries(retention).map(([kind, months]) => [kind, firstOf(months)]),
  );
}
