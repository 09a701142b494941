/** Identifiers of transactions, programs and publishers: whole numbers that JSON carries exactly. */

const DIGITS = /^(0|[1-9]\d{0,15})$/;

export const GREATEST_IDENTIFIER = Number.MAX_SAFE_INTEGER;

export const isIdentifier = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads digits without leading zeros. Undefined for any other text, such as `007`. */
export function readIdentifier(text: string): number | undefined {
  const identifier = DIGITS.test(text) ? Number(text) : undefined;
  return isIdentifier(identifier) ? identifier : undefined;
}

/** What an identifier is, for errors. */
export const IDENTIFIER_TEXT = `a whole number from 0 to ${GREATEST_IDENTIFIER}, without leading zeros`;
