/** Decides how the numbers of a file are written, from a sample of them. */

import { ImportRefused } from '../import-refused.ts';
import type { DecimalMark, NumberNotation } from './dialect.ts';
import { type Example, shownExample } from './example.ts';
import { numberEvidence } from './number-notation.ts';

/** The first examples that show the decimal mark or the currency, and the first ambiguous ones. */
export class NumberSample {
  /** Examples by the only decimal mark that they can have. */
  readonly #certain = new Map<DecimalMark, Example>();
  readonly #currencies = new Map<string, Example>();
  /** `1,234`, which is 1234 or 1.234. */
  #ambiguous: Example | undefined;
  /** `1.234`, which is 1234 in a file with decimal commas. */
  #plainAmbiguous: Example | undefined;
  #isPlain = true;

  add(example: Example): void {
    const evidence = numberEvidence(example.text);
    if (evidence === undefined) return;
    const { isPlain, currency, marks } = evidence;
    this.#isPlain &&= isPlain;
    if (currency !== undefined && !this.#currencies.has(currency)) {
      this.#currencies.set(currency, example);
    }
    const [mark, other] = marks;
    if (mark === undefined) return;
    if (other === undefined) this.#certain.set(mark, this.#certain.get(mark) ?? example);
    else if (isPlain) this.#plainAmbiguous ??= example;
    else this.#ambiguous ??= example;
  }

  /**
   * Adds the value of an integer field. A value such as `1 234` shows that the file groups digits. A value with a
   * comma or point is ignored, because an integer has no decimals that show the decimal mark.
   */
  addInteger({ text }: Example): void {
    const evidence = numberEvidence(text);
    const hasNoMark = evidence?.marks.length === 0 && evidence.currency === undefined;
    if (hasNoMark) this.#isPlain &&= evidence.isPlain;
  }

  /**
   * A value with two meanings, unless another value decides. `1.234` counts as ambiguous only if the file has
   * numbers that are not plain, or dates with the year last (`hasYearLast`). Such a file may group digits by points.
   */
  open(hasYearLast: boolean): Example | undefined {
    if (this.#certain.size > 0) return undefined;
    return this.#ambiguous ?? (this.#isPlain && !hasYearLast ? undefined : this.#plainAmbiguous);
  }

  /** Whether a later value may decide. With `hasYearLast`, even plain whole numbers leave open what `1.234` means. */
  isOpen(hasYearLast: boolean): boolean {
    return this.#certain.size === 0 && (hasYearLast || this.open(hasYearLast) !== undefined);
  }

  /**
   * Undefined for plain numbers. Throws an ImportRefused if the mark or the currency is not clear. In a table
   * (`isTable`), it also refuses a decimal comma, which would change the numbers of typed columns.
   */
  decide(
    file: string,
    stated: DecimalMark | undefined,
    hasYearLast: boolean,
    isTable = false,
  ): NumberNotation | undefined {
    const currency = this.#currency(file);
    if (stated !== undefined) return { decimal: stated, currency };
    const [comma, point] = [this.#certain.get(','), this.#certain.get('.')];
    if (isTable && comma !== undefined) {
      throw new ImportRefused(
        `${file}: ${shownExample(comma)} has a decimal comma, but numbers of a table must have decimal points. Convert it to a number in a view, and import the view.`,
      );
    }
    if (comma !== undefined && point !== undefined) {
      throw new ImportRefused(
        `${file}: ${shownExample(comma)} has a decimal comma, and ${shownExample(point)} a decimal point. Write all numbers alike, or say which are right: --decimal , or --decimal .`,
      );
    }
    const open = this.open(hasYearLast);
    if (open !== undefined) throw ambiguous(file, open, isTable);
    // With such dates and no certain mark, a later `1.234` may mean 1234. So the checks must refuse it.
    if (this.#isPlain && (point !== undefined || !hasYearLast)) return undefined;
    return { decimal: comma ? ',' : point ? '.' : undefined, currency };
  }

  #currency(file: string): string | undefined {
    const [one, other] = [...this.#currencies.values()];
    if (one === undefined || other === undefined) return this.#currencies.keys().next().value;
    throw new ImportRefused(
      `${file}: ${shownExample(one)} and ${shownExample(other)} have different currencies. Import each currency into a database of its own.`,
    );
  }
}

const ambiguous = (file: string, { column, text }: Example, isTable: boolean): ImportRefused => {
  const digits = text.replaceAll(/[^0-9.,-]/g, '');
  const [grouped, decimal] = [digits.replaceAll(/[.,]/g, ''), digits.replace(',', '.')];
  const mark = digits.includes(',') ? ['.', ','] : [',', '.'];
  const advice = isTable
    ? `If it is ${mark[0] === '.' ? grouped : decimal}, say so: --decimal '.'. If not, convert it to a number in a view`
    : `Say what separates decimals: --decimal ${mark[0]} for ${grouped}, --decimal ${mark[1]} for ${decimal}`;
  return new ImportRefused(
    `${file}: ${shownExample({ column, text })} may be ${grouped} or ${decimal}, and no other number tells which. ${advice}`,
  );
};
