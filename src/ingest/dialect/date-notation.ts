/** Recognises the order of day, month and year in dates. */

import { DATE_ORDERS, type DateOrder } from './dialect.ts';

/** Hours, minutes, seconds, the fraction of a second, and AM or PM; groups 4 to 8. */
const TIME =
  '(?:(?:,? +|T)([01]?[0-9]|2[0-3])[:h]([0-5][0-9])(?::([0-5][0-9])([.,][0-9]{1,9})?)?(?: ?([AaPp])[Mm])?)?';

const [DAY, MONTH] = ['(0?[1-9]|[12][0-9]|3[01])', '(0?[1-9]|1[0-2])'];

/** Regular expressions of dates, for JavaScript and for RE2. Only `YYYY-MM-DD` allows a UTC offset. */
export const DATE_PATTERNS = {
  'YYYY-MM-DD': `^([0-9]{4})[-/.]${MONTH}[-/.]${DAY}${TIME}(Z|[+-][0-9]{2}:[0-9]{2})?$`,
  'DD/MM/YYYY': `^${DAY}[-/.]${MONTH}[-/.]([0-9]{4})${TIME}$`,
  'MM/DD/YYYY': `^${MONTH}[-/.]${DAY}[-/.]([0-9]{4})${TIME}$`,
} as const satisfies Record<DateOrder, string>;

/** A date that needs no conversion, with or without an offset. */
const PLAIN = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d([.]\d{1,9})?(Z|[+-]\d\d:\d\d)?$/;

const FORMS = DATE_ORDERS.map((order) => ({ order, form: new RegExp(DATE_PATTERNS[order]) }));

/** Whether a text is a date in any order. */
export const isDate = (text: string): boolean =>
  PLAIN.test(text) || possibleOrders(text).length > 0;

/** The orders in which a text is a date; none if it is plain, or no date at all. */
export const possibleOrders = (text: string): readonly DateOrder[] =>
  PLAIN.test(text) ? [] : FORMS.filter(({ form }) => form.test(text)).map(({ order }) => order);
