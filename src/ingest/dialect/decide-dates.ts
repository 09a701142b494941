/** Decides in which order the dates of a file are written, from a sample of them. */

import { ImportRefused } from '../import-refused.ts';
import { possibleOrders } from './date-notation.ts';
import type { DateOrder } from './dialect.ts';
import { type Example, shownExample } from './example.ts';

/** The first example that shows each date order, and the first ambiguous one. */
export class DateSample {
  readonly #certain = new Map<DateOrder, Example>();
  /** `01/02/2026`, which is 1 February or 2 January. */
  #ambiguous: Example | undefined;

  add(example: Example): void {
    const [order, other] = possibleOrders(example.text);
    if (order === undefined) return;
    if (other !== undefined) this.#ambiguous ??= example;
    else this.#certain.set(order, this.#certain.get(order) ?? example);
  }

  /** Whether the year is last, in any order of day and month. */
  get isYearLast(): boolean {
    return this.#ambiguous !== undefined || this.#dayFirst() || this.#monthFirst();
  }

  /** A value with two meanings, unless another value shows the order. */
  get open(): Example | undefined {
    return this.#dayFirst() || this.#monthFirst() ? undefined : this.#ambiguous;
  }

  /** Undefined for plain dates. Throws an ImportRefused if the order is not clear. */
  decide(file: string, stated: DateOrder | undefined): DateOrder | undefined {
    if (stated !== undefined) return stated;
    const [day, month] = [this.#certain.get('DD/MM/YYYY'), this.#certain.get('MM/DD/YYYY')];
    if (day !== undefined && month !== undefined) {
      throw new ImportRefused(
        `${file}: ${shownExample(day)} has the day first, and ${shownExample(month)} the month. Write all dates alike, or say which order is right: --dates DD/MM/YYYY or --dates MM/DD/YYYY`,
      );
    }
    if (this.open !== undefined) throw ambiguous(file, this.open);
    if (day !== undefined) return 'DD/MM/YYYY';
    if (month !== undefined) return 'MM/DD/YYYY';
    return this.#certain.has('YYYY-MM-DD') ? 'YYYY-MM-DD' : undefined;
  }

  #dayFirst = (): boolean => this.#certain.has('DD/MM/YYYY');
  #monthFirst = (): boolean => this.#certain.has('MM/DD/YYYY');
}

const MONTHS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

function ambiguous(file: string, example: Example): ImportRefused {
  const [one = 1, other = 1] = example.text.split(/[-/.]/).map(Number);
  const dayFirst = MONTHS.format(Date.UTC(2024, other - 1, one));
  const monthFirst = MONTHS.format(Date.UTC(2024, one - 1, other));
  const meanings =
    one === other
      ? 'does not tell whether the day or the month is first, and no other date does'
      : `may be ${dayFirst} or ${monthFirst}, and no other date tells which`;
  return new ImportRefused(
    `${file}: ${shownExample(example)} ${meanings}. Say the order: --dates DD/MM/YYYY or --dates MM/DD/YYYY`,
  );
}
