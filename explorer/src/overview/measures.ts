/** What is added up of the transactions of a kind. */

import { hasMeaningFor } from '../../../src/contract/record/fields.ts';
import { COUNTED, type Kind } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { COUNT, summedFields } from '../../../src/contract/record/summary.ts';
import { nameOf } from '../query/filters.ts';
import type { Values } from '../query/question.ts';
import type { Texts } from '../texts/texts.ts';
import type { Formats } from '../ui/formats.ts';

export interface Measure {
  readonly name: string;
  readonly isMoney: boolean;
  /** Of what each row stands for several of, how many rows there are. */
  readonly isOfRows: boolean;
  /** What it is called: what happened by the kind. */
  title(texts: Texts): string;
}

/** How often it happened first, then, for kinds whose rows stand for many events, how many rows there are. */
export function measuresOf(role: Role, kind: Kind): readonly Measure[] {
  const isCounted = COUNTED.includes(kind);
  const ofKind = ({ kinds }: Texts) => kinds[kind];
  const count: Measure = {
    name: COUNT.name,
    isMoney: false,
    isOfRows: isCounted,
    title: isCounted ? (texts) => nameOf(COUNT.name, texts) : ofKind,
  };
  const summed = summedFields(role)
    .filter(({ field }) => hasMeaningFor(field, kind))
    .map(({ name, field }): Measure => {
      const isMoney = field.type === 'decimal';
      const title = isMoney ? (texts: Texts) => nameOf(name, texts) : ofKind;
      return { name, isMoney, isOfRows: false, title };
    });
  return [...summed.filter((one) => !one.isMoney), count, ...summed.filter((one) => one.isMoney)];
}

/** Cents are enough for sums. */
const CENTS = 100;

export const written = (value: number, { isMoney }: Measure, formats: Formats): string =>
  isMoney ? formats.amount(Math.round(value * CENTS) / CENTS) : formats.count(value);

export const valueIn = (group: Values | undefined, { name }: Measure): number =>
  Number(group?.[name] ?? 0);

export const sumOf = (groups: readonly Values[], measure: Measure): number =>
  groups.reduce((sum, group) => sum + valueIn(group, measure), 0);
