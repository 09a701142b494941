/** Numbers, dates and names as the reader's language writes them. */

import { LANGUAGES, languageOf } from '../texts/texts.ts';

export interface Formats {
  /** BCP 47. */
  readonly tag: string;
  count(value: number): string;
  /** Of money without a currency: two places at least. */
  amount(value: number): string;
  /** Few digits, for axes. */
  short(value: number): string;
  /** A change such as 0.12, with its sign. */
  change(value: number): string;
  /** With one digit after the point, so that shares line up. */
  share(value: number): string;
  /** A part such as 0.4, without digits after the point. */
  whole(part: number): string;
  /** Of `YYYY-MM-DD`. */
  day(date: string): string;
  dayOfWeek(date: string): string;
  /** Of `YYYY-MM-DD`, without the year. */
  shortDay(date: string): string;
  /** Of `YYYY-MM` or `YYYY-MM-DD`. */
  month(date: string): string;
  shortMonth(date: string): string;
  period(start: string, end: string): string;
  /** Without the year. */
  shortPeriod(start: string, end: string): string;
  /** Of `YYYY-MM-DD HH:MM:SS`. */
  moment(wallClock: string): string;
  /** Of an instant in RFC 3339, on the clock of a time zone. */
  instant(text: string, timeZone: string): string;
  /** The day and the time of an instant in milliseconds, on the clock of a time zone. */
  clock(instant: number, timeZone: string): readonly [day: string, time: string];
  country(code: string): string;
  /** The name of a type of devices that is known, and any other one as it is. */
  device(type: string): string;
  bytes(count: number): string;
}

/** The platform's clock was read by the service: here its time is shown as it stands. */
const AS_IT_STANDS = { timeZone: 'UTC' } as const;

const dateOf = (text: string): Date =>
  new Date(
    `${text.length === 7 ? `${text}-01` : text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`,
  );

/** The first of a month is an ordinal in French, which browsers do not know (CLDR has no pattern for it). */
const withFirst = (text: string): string => text.replace(/(?<!\d)1(?=\s\p{L})/gu, '1er');

export function formatsOf(tag: string): Formats {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(tag, options);
    return (value: number) => format.format(value);
  };
  const said = tag.startsWith('fr') ? withFirst : (text: string) => text;
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, ...AS_IT_STANDS });
    return (text: string) => said(format.format(dateOf(text)));
  };
  const range = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, ...AS_IT_STANDS });
    return (start: string, end: string) =>
      said(
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
    amount: number({ minimumFractionDigits: 2, maximumFractionDigits: 6 }),
    short: number({ notation: 'compact', maximumSignificantDigits: 3 }),
    change: number({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    share: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    whole: number({ style: 'percent', maximumFractionDigits: 0 }),
    day: date({ dateStyle: 'medium' }),
    dayOfWeek: date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: date({ day: 'numeric', month: 'short' }),
    month: date({ month: 'long', year: 'numeric' }),
    shortMonth: date({ month: 'short', year: '2-digit' }),
    period: range({ dateStyle: 'medium' }),
    shortPeriod: range({ day: 'numeric', month: 'short' }),
    moment: date({ dateStyle: 'medium', timeStyle: 'medium' }),
    instant: (text, timeZone) =>
      said(
        new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
          new Date(text),
        ),
      ),
    clock: (instant, timeZone) => [
      new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone }).format(instant),
      // With seconds, so that whoever reads the list anew sees that it was.
      new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone }).format(instant),
    ],
    country: (code) => nameOf(countries, code),
    device: (type) => (Object.hasOwn(devices, type) ? (devices[type] ?? type) : type),
    bytes: bytesIn(tag),
  };
}

function nameOf(countries: Intl.DisplayNames, code: string): string {
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
