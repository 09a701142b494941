/** What is added up of the transactions of a kind. */

import { hasMeaningFor } from '../../../src/contract/fields.ts';
import type { Kind } from '../../../src/contract/kinds.ts';
import type { Audience } from '../../../src/contract/records.ts';
import { COUNT, summedFields } from '../../../src/contract/summary.ts';
import type { Formats } from '../formats.ts';
import type { Values } from '../question.ts';

export interface Measure {
  readonly name: string;
  readonly isMoney: boolean;
}

/** How many rows there are first; for kinds whose rows stand for many events, those before it. */
export function measuresOf(audience: Audience, kind: Kind): readonly Measure[] {
  const summed = summedFields(audience)
    .filter(({ field }) => hasMeaningFor(field, kind))
    .map(({ name, field }) => ({ name, isMoney: field.type === 'decimal' }));
  const counts = summed.filter(({ isMoney }) => !isMoney);
  return [...counts, { name: COUNT.name, isMoney: false }, ...summed.filter((one) => one.isMoney)];
}

/** Cents are enough for sums. */
const CENTS = 100;

export const written = (value: number, { isMoney }: Measure, formats: Formats): string =>
  isMoney ? formats.amount(Math.round(value * CENTS) / CENTS) : formats.count(value);

export const valueIn = (group: Values | undefined, { name }: Measure): number =>
  Number(group?.[name] ?? 0);

export const sumOf = (groups: readonly Values[], measure: Measure): number =>
  groups.reduce((sum, group) => sum + valueIn(group, measure), 0);
