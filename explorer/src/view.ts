/** What is looked at: a question as the address bar holds it, without the token. */

import { isKind, type Kind } from '../../src/contract/kinds.ts';
import { DATE_FIELDS, type DateField, type Order } from '../../src/contract/parameters.ts';
import { FILTER_NAMES, type Filters, isGood } from './filters.ts';
import { isPreset, type Period, type Preset, periodFrom, periodOf } from './periods.ts';
import type { Question } from './question.ts';

export interface View {
  readonly kind: Kind;
  /** By its name, so that a bookmark of the last days stays one, or by its days. */
  readonly period: Preset | Period;
  readonly dateField: DateField;
  readonly filters: Filters;
  readonly order: Order;
  /** What the charts show; the first measure where there is none. */
  readonly measure?: string | undefined;
}

export const FIRST_VIEW: View = {
  kind: 'sales',
  period: 'last-30-days',
  dateField: 'created_at',
  filters: {},
  order: 'desc',
};

/** Reads an address: what is wrong in it counts as not given. */
export function readView(search: string): View {
  const given = new URLSearchParams(search);
  const kind = given.get('type') ?? '';
  const filters = FILTER_NAMES.flatMap((name) => {
    const text = given.get(name) ?? '';
    return isGood(name, text) ? [[name, text] as const] : [];
  });
  return {
    kind: isKind(kind) ? kind : FIRST_VIEW.kind,
    period: readPeriod(given),
    dateField: DATE_FIELDS.find((name) => name === given.get('date_field')) ?? FIRST_VIEW.dateField,
    filters: Object.fromEntries(filters),
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    measure: given.get('measure') ?? undefined,
  };
}

function readPeriod(given: URLSearchParams): Preset | Period {
  const days = periodFrom(given.get('start_date') ?? '', given.get('end_date') ?? '');
  if (days !== undefined) return days;
  const preset = given.get('period') ?? '';
  return isPreset(preset) ? preset : FIRST_VIEW.period;
}

/** The address of a view, from the `?` on. */
export function searchOf({ kind, period, dateField, filters, order, measure }: View): string {
  const asked = {
    type: kind,
    ...(typeof period === 'string'
      ? { period }
      : { start_date: period.start, end_date: period.end }),
    ...(dateField === FIRST_VIEW.dateField ? {} : { date_field: dateField }),
    ...filters,
    ...(order === FIRST_VIEW.order ? {} : { order }),
    ...(measure === undefined ? {} : { measure }),
  };
  return `?${new URLSearchParams(asked).toString().replaceAll('%2C', ',')}`;
}

export const daysOf = ({ period }: View, timeZone: string): Period =>
  typeof period === 'string' ? periodOf(period, timeZone) : period;

/** What the API is asked for a view. */
export function questionOf({ kind, dateField, filters }: View, { start, end }: Period): Question {
  const date = dateField === FIRST_VIEW.dateField ? {} : { date_field: dateField };
  return { type: kind, start_date: start, end_date: end, ...date, ...filters };
}
