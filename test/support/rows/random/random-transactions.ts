/** Random transactions around dates that are error-prone, such as clock changes. */

import { ACTIONS, KINDS, type Kind } from '../../../../src/contract/record/kinds.ts';
import { localTimeAt } from '../../../contract/wall-clock.ts';
import { fc } from '../../run/properties.ts';

export interface RandomTransaction {
  readonly type: Kind;
  readonly transaction_id: number;
  readonly program_id: number;
  readonly publisher_id: number;
  readonly status: 0 | 1 | 2;
  /** Null unless the type has orders. */
  readonly orderid: number | null;
  readonly clickid: string | null;
  readonly subid: string | null;
  readonly country: string | null;
  readonly device_type: string | null;
  /** The date of creation. This date and the following ones are in seconds since 1970 (UTC). */
  readonly instant: number;
  readonly updated: number;
  /** Null unless the status is 1. */
  readonly validated: number | null;
}

/** Texts that are easily damaged in SQL, JSON or CSV. */
export const TEXTS = [
  'a',
  'b',
  "it's",
  'é ü',
  'a,b;c',
  '"q"',
  'back\\slash',
  'tab\there',
  '=1+1',
  '%',
] as const;
export const COUNTRIES = ['FR', 'BE', 'DE'] as const;
export const DEVICES = ['mobile', 'desktop', 'smart tv'] as const;

/** With the least and the greatest possible identifier. */
export const ORDER_IDS = [0, 7, 90_210, Number.MAX_SAFE_INTEGER] as const;
export const PROGRAMS = [1, 2, 3] as const;
export const PUBLISHERS = [100, 101, 102, 103] as const;

const instantOf = (text: string): number => Date.parse(text) / 1000;

/** Days at the ends of months and years or with a clock change, and ordinary ones, within few years. */
export const NEAR_DAYS: readonly string[] = [
  '2023-12-31',
  '2024-02-28',
  '2024-02-29',
  '2024-03-01',
  '2024-03-10',
  '2024-03-31',
  '2024-10-27',
  '2024-11-03',
  '2024-12-31',
  '2025-01-01',
  '2025-06-30',
  '2026-03-08',
  '2026-03-29',
  '2026-10-25',
  '2026-11-01',
];

/** The near days, the first possible day, one near the last possible day, and the day when 32-bit clocks overflow. */
export const DAYS: readonly string[] = ['1970-01-01', ...NEAR_DAYS, '2038-01-19', '2105-12-31'];

/** Instants around the full hours of these days, with both instants of a local time that occurs twice. */
const instants = fc
  .record({
    day: fc.constantFrom(...DAYS),
    hour: fc.integer({ min: -14, max: 38 }),
    second: fc.constantFrom(-1, 0, 0, 1, 1800),
  })
  .map(({ day, hour, second }) => Math.max(0, instantOf(day) + hour * 3600 + second));

/** A few days before the last second that the tables can hold (2106-02-07). */
const LAST = instantOf('2106-02-01');

const orNull = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { freq: 5 });

export const transactions: fc.Arbitrary<RandomTransaction> = fc
  .record({
    type: fc.constantFrom(...KINDS),
    transaction_id: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.maxSafeNat()),
    program_id: fc.constantFrom(...PROGRAMS),
    publisher_id: fc.constantFrom(...PUBLISHERS),
    status: fc.constantFrom(0, 1, 2),
    orderid: orNull(ORDER_IDS),
    clickid: orNull(TEXTS),
    subid: orNull(TEXTS),
    country: orNull(COUNTRIES),
    device_type: orNull(DEVICES),
    instant: instants,
    updatedAfter: fc.constantFrom(0, 0, 1, 3600, 86_400, 40 * 86_400),
    validatedOn: instants,
  })
  .map(({ updatedAfter, validatedOn, orderid, ...row }) => ({
    ...row,
    orderid: ACTIONS.includes(row.type) ? orderid : null,
    updated: Math.min(row.instant + updatedAfter, LAST),
    validated: row.status === 1 ? validatedOn : null,
  }));

/** The date in a file, in one of three styles: local time if it is unambiguous, UTC, or with an offset. */
export function writtenDate(instant: number, zone: string, style: number): string {
  const local = localTimeAt(zone, instant);
  const isTwice = [-3600, 3600].some((shift) => localTimeAt(zone, instant + shift) === local);
  const isPlain = !isTwice && local >= '1970' && local < '2106';
  if (style % 3 === 0 && isPlain) return local;
  if (style % 3 === 1) return localTimeAt('UTC', instant).replace(' ', 'T').concat('Z');
  return localTimeAt('UTC', instant + 19_800)
    .replace(' ', 'T')
    .concat('+05:30');
}
