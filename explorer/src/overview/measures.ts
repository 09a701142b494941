/** Measures of each kind of transaction: counts and sums of money. */

import { appliesTo } from '../../../src/contract/record/fields.ts';
import { COUNTED, type Kind } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { COUNT, summedFields } from '../../../src/contract/record/summary.ts';
import type { ResultRow } from '../query/api-query.ts';
import { fieldLabel } from '../query/filters.ts';
import type { Texts } from '../texts/texts.ts';
import type { LocaleFormats } from '../ui/formats.ts';

export interface SummaryMeasure {
  readonly name: string;
  readonly isMoney: boolean;
  /** Whether the measure counts rows, although a row can stand for several events. */
  readonly isRowCount: boolean;
  /** The name on the page. Counts are named after the kind. */
  title(texts: Texts): string;
}

/** The measures in order: number of events, number of rows (if rows stand for several events), sums of money. */
export function summaryMeasuresOf(role: Role, kind: Kind): readonly SummaryMeasure[] {
  const isCounted = COUNTED.includes(kind);
  const ofKind = ({ kinds }: Texts) => kinds[kind];
  const count: SummaryMeasure = {
    name: COUNT.name,
    isMoney: false,
    isRowCount: isCounted,
    title: isCounted ? (texts) => fieldLabel(COUNT.name, texts) : ofKind,
  };
  const summed = summedFields(role)
    .filter(({ field }) => appliesTo(field, kind))
    .map(({ name, field }): SummaryMeasure => {
      const isMoney = field.type === 'decimal';
      const title = isMoney ? (texts: Texts) => fieldLabel(name, texts) : ofKind;
      return { name, isMoney, isRowCount: false, title };
    });
  return [...summed.filter((one) => !one.isMoney), count, ...summed.filter((one) => one.isMoney)];
}

/** The chosen measure, or the first one if no measure has this name. */
export const measureOf = (
  measures: readonly SummaryMeasure[],
  chosen?: string,
): SummaryMeasure | undefined => measures.find(({ name }) => name === chosen) ?? measures[0];

export const formatMeasure = (
  value: number,
  { isMoney }: SummaryMeasure,
  formats: LocaleFormats,
): string => (isMoney ? formats.roundedAmount(value) : formats.count(value));

/** The length of a bar, as a part of its card. Negative sums make shares below 0 and above 1. */
export const barLengthOf = (share: number): number => Math.min(1, Math.max(0, share));

export const measureValue = (group: ResultRow | undefined, { name }: SummaryMeasure): number =>
  Number(group?.[name] ?? 0);

export const sumOf = (groups: readonly ResultRow[], measure: SummaryMeasure): number =>
  groups.reduce((sum, group) => sum + measureValue(group, measure), 0);
