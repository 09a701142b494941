/** What is looked at: a question as the address bar holds it, without the token. */

import { DATE_FIELDS, type DateField, type Order } from '../../../src/contract/query/parameters.ts';
import { isKind, type Kind } from '../../../src/contract/record/kinds.ts';
import { ROLES } from '../../../src/contract/record/records.ts';
import { COUNT, summedFields } from '../../../src/contract/record/summary.ts';
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

/** What any reader's charts can show. */
const MEASURES: readonly string[] = [
  COUNT.name,
  ...ROLES.flatMap((role) => summedFields(role).map(({ name }) => name)),
];

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
    measure: MEASURES.find((name) => name === given.get('measure')),
  };
}

function readPeriod(given: URLSearchParams): Preset | Period {
  const days = periodFrom(given.get('start_date') ?? '', given.get('end_date') ?? '');
  if (days !== undefined) return days;
  const preset = given.get('period') ?? '';
  return isPreset(preset) ? preset : FIRST_VIEW.period;
}

/** A view under the names that it has in the address. */
function partsOf({ kind, period, dateField, filters, order, measure }: View): Question {
  return {
    type: kind,
    ...(typeof period === 'string'
      ? { period }
      : { start_date: period.start, end_date: period.end }),
    date_field: dateField,
    ...filters,
    order,
    ...(measure === undefined ? {} : { measure }),
  };
}

/** What an address need not say. */
const UNSAID: Question = { date_field: FIRST_VIEW.dateField, order: FIRST_VIEW.order };

/** The address of a view, from the `?` on. */
export function searchOf(view: View): string {
  const said = Object.entries(partsOf(view)).filter(([name, text]) => UNSAID[name] !== text);
  return `?${new URLSearchParams(said).toString().replaceAll('%2C', ',')}`;
}

export interface AddressPart {
  readonly name: string;
  readonly text: string;
}

// biome-ignore format: one line
const NAMES = ['type', 'period', 'start_date', 'end_date', 'date_field', ...FILTER_NAMES, 'order', 'measure'];

/** What an address says that its view does not: what is wrong, contradicts another part or is given again. */
export function unknownPartsOf(search: string): readonly AddressPart[] {
  const read = partsOf(readView(search));
  const given = new URLSearchParams(search);
  return NAMES.flatMap((name) =>
    [...new Set(given.getAll(name))]
      .filter((text) => text !== '' && text !== read[name])
      .map((text) => ({ name, text })),
  );
}

export const daysOf = ({ period }: View, timeZone: string): Period =>
  typeof period === 'string' ? periodOf(period, timeZone) : period;

/** What the API is asked for a view. */
export function questionOf({ kind, dateField, filters }: View, { start, end }: Period): Question {
  const date = dateField === FIRST_VIEW.dateField ? {} : { date_field: dateField };
  return { type: kind, start_date: start, end_date: end, ...date, ...filters };
}
