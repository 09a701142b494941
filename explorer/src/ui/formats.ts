/** Formats of numbers, dates and names in a language, with Intl. */

import { LANGUAGES, languageOf } from '../texts/languages.ts';

export interface LocaleFormats {
  /** Language tag (BCP 47). */
  readonly tag: string;
  count(value: number): string;
  /** Money with all its decimals; with its currency if the platform has one. */
  amount(value: number): string;
  /** Money rounded to the decimals of its currency, or to cents. */
  roundedAmount(value: number): string;
  /** Small amounts, such as earnings per click. All have one decimal more than the currency, so that they align. */
  fineAmount(value: number): string;
  /** A difference of money, with its sign. */
  signedAmount(value: number): string;
  /** Compact, for axes. */
  short(value: number): string;
  /** A relative change such as 0.12, as a percentage with its sign. */
  change(value: number): string;
  /** A percentage with one decimal, so that shares align. */
  share(value: number): string;
  /** A rate such as 0.0291, as a percentage with two decimals. */
  rate(value: number): string;
  /** Percentage points of a difference such as 0.012, without the unit. */
  points(value: number): string;
  signedPoints(value: number): string;
  /** A percentage without decimals, of a part such as 0.4. */
  whole(part: number): string;
  /** For `YYYY-MM-DD`. */
  day(date: string): string;
  dayOfWeek(date: string): string;
  /** For `YYYY-MM-DD`, without the year. */
  shortDay(date: string): string;
  /** For `YYYY-MM` or `YYYY-MM-DD`. */
  month(date: string): string;
  shortMonth(date: string): string;
  period(start: string, end: string): string;
  /** Without the year. */
  shortPeriod(start: string, end: string): string;
  /** The time of day, for `YYYY-MM-DD HH:MM`. */
  time(wallClock: string): string;
  /** For `YYYY-MM-DD HH:MM:SS`. */
  moment(wallClock: string): string;
  /** An instant in RFC 3339, in a time zone. */
  instant(text: string, timeZone: string): string;
  /** The day and time of an instant in milliseconds, in a time zone. */
  clock(instant: number, timeZone: string): readonly [day: string, time: string];
  country(code: string): string;
  /** The name of a known device type; an unknown one stays as it is. */
  device(type: string): string;
  bytes(count: number): string;
}

/** The service sends times in the platform's time zone, so they are not converted. */
const NOT_CONVERTED = { timeZone: 'UTC' } as const;

const dateOf = (text: string): Date =>
  new Date(
    `${text.length === 7 ? `${text}-01` : text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`,
  );

/** French writes the first of a month as an ordinal, and CLDR has no pattern for it. */
const withOrdinalFirst = (text: string): string => text.replace(/(?<!\d)1(?=\s\p{L})/gu, '1er');

/** `currency` is an ISO 4217 code. If it is undefined, amounts are shown without a currency. */
export function formatsOf(tag: string, currency?: string): LocaleFormats {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(tag, options);
    return (value: number) => format.format(value);
  };
  const localized = tag.startsWith('fr') ? withOrdinalFirst : (text: string) => text;
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, ...NOT_CONVERTED });
    return (text: string) => localized(format.format(dateOf(text)));
  };
  const range = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, ...NOT_CONVERTED });
    return (start: string, end: string) =>
      localized(
        start === end
          ? format.format(dateOf(start))
          : format.formatRange(dateOf(start), dateOf(end)),
      );
  };
  const devices: Readonly<Record<string, string>> = LANGUAGES[languageOf(tag)].devices;
  const countries = new Intl.DisplayNames([tag], { type: 'region' });
  return {
    tag,
    count: number({}),
    ...amountsIn(tag, currency),
    short: number({ notation: 'compact', maximumSignificantDigits: 3 }),
    change: number({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    share: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    rate: number({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    points: (value) => number({ maximumFractionDigits: 1 })(value * 100),
    signedPoints: (value) =>
      number({ maximumFractionDigits: 1, signDisplay: 'exceptZero' })(value * 100),
    whole: number({ style: 'percent', maximumFractionDigits: 0 }),
    day: date({ dateStyle: 'medium' }),
    dayOfWeek: date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: date({ day: 'numeric', month: 'short' }),
    month: date({ month: 'long', year: 'numeric' }),
    shortMonth: date({ month: 'short', year: '2-digit' }),
    period: range({ dateStyle: 'medium' }),
    shortPeriod: range({ day: 'numeric', month: 'short' }),
    time: date({ timeStyle: 'short' }),
    moment: date({ dateStyle: 'medium', timeStyle: 'medium' }),
    instant: (text, timeZone) =>
      localized(
        new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
          new Date(text),
        ),
      ),
    clock: (instant, timeZone) => [
      localized(new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone }).format(instant)),
      // With seconds, so that a refresh is visible.
      new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone }).format(instant),
    ],
    country: (code) => countryName(countries, code),
    device: (type) => (Object.hasOwn(devices, type) ? (devices[type] ?? type) : type),
    bytes: bytesIn(tag),
  };
}

function amountsIn(tag: string, currency: string | undefined) {
  const money =
    currency === undefined
      ? { minimumFractionDigits: 2 }
      : ({ style: 'currency', currency } as const);
  const exact = new Intl.NumberFormat(tag, { ...money, maximumFractionDigits: 6 });
  const { minimumFractionDigits: decimals = 2 } = exact.resolvedOptions();
  const unit = 10 ** decimals;
  const amount = (value: number) => exact.format(value);
  const fine = new Intl.NumberFormat(tag, {
    ...money,
    minimumFractionDigits: decimals + 1,
    maximumFractionDigits: decimals + 1,
  });
  const signed = new Intl.NumberFormat(tag, { ...money, signDisplay: 'exceptZero' });
  // Adding 0 turns -0 into 0.
  const rounded = (value: number, to = unit) => Math.round(value * to) / to + 0;
  return {
    amount,
    roundedAmount: (value: number) => amount(rounded(value)),
    fineAmount: (value: number) => fine.format(rounded(value, unit * 10)),
    signedAmount: (value: number) => signed.format(rounded(value)),
  };
}

function countryName(countries: Intl.DisplayNames, code: string): string {
  try {
    return countries.of(code) ?? code;
  } catch {
    return code;
  }
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function bytesIn(tag: string): (count: number) => string {
  const formats = UNITS.map(
    (unit) =>
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: unit === 'byte' || unit === 'kilobyte' ? 0 : 1,
      }),
  );
  return (count) => {
    const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(count || 1) / 3)));
    return formats[step]?.format(count / 1000 ** step) ?? String(count);
  };
}
