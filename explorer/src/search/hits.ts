/** Hits of the search box: what a lookup found, and the change of the view that opens it. */

import { isKind, type Kind } from '../../../src/contract/record/kinds.ts';
import { STATUSES, type Status } from '../../../src/contract/record/statuses.ts';
import type { ResultRow } from '../query/api-query.ts';
import { oppositeOf, textOf } from '../query/filters.ts';
import type { View } from '../query/view.ts';
import { isNameLookup, type Lookup, type NameLookup } from './lookups.ts';

export type Hit = TransactionHit | ValueHit | NameHit;

/** One transaction, of any date. */
export interface TransactionHit {
  readonly lookup: 'transaction_id';
  readonly kind: Kind;
  readonly value: string;
  readonly status: Status | undefined;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** The transactions of a kind with this value. */
export interface ValueHit {
  readonly lookup: Exclude<Lookup, 'transaction_id' | NameLookup>;
  readonly kind: Kind;
  readonly value: string;
  readonly count: number;
}

/** A program or a publisher by its name. */
export interface NameHit {
  readonly lookup: NameLookup;
  readonly value: string;
  readonly name: string;
}

/** The hits of a response, the most frequent kind first. */
export function hitsOf(lookup: Lookup, text: string, rows: readonly ResultRow[]): readonly Hit[] {
  if (isNameLookup(lookup)) {
    return rows.flatMap(({ [lookup]: id, name }) =>
      typeof name === 'string' ? [{ lookup, value: String(id), name }] : [],
    );
  }
  const hits = rows.flatMap(({ type, status, day, count }): readonly Hit[] => {
    const kind = String(type);
    if (!isKind(kind)) return [];
    if (lookup !== 'transaction_id') return [{ lookup, kind, value: text, count: Number(count) }];
    const known = STATUSES.find((one) => String(one) === status);
    return [{ lookup, kind, value: text, status: known, day: String(day) }];
  });
  return hits.toSorted((one, other) => countOf(other) - countOf(one));
}

const countOf = (hit: Hit): number => ('count' in hit ? hit.count : 0);

/**
 * A transaction hit opens the transaction. A value hit replaces the kind and all filters, so that all of its
 * transactions are listed. A name hit replaces only the filters of its field.
 */
export function changeFor(hit: Hit, { filters }: Pick<View, 'filters'>): Partial<View> {
  if (hit.lookup === 'transaction_id') return { kind: hit.kind, row: hit.value };
  if ('name' in hit) {
    const { [oppositeOf(hit.lookup)]: _, ...others } = filters;
    return { filters: { ...others, [hit.lookup]: hit.value } };
  }
  return { kind: hit.kind, filters: { [hit.lookup]: textOf(hit.lookup, [hit.value]) } };
}

/** Unique among the hits of a text. */
export const keyOfHit = (hit: Hit): string =>
  [hit.lookup, 'kind' in hit ? hit.kind : '', hit.value].join(' ');
