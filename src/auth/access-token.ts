/**
 * The text of the service's own access tokens and of the codes in sign-in links: a prefix, 32 random
 * characters and a checksum of 6.
 */

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'trx_';
const CODE_PREFIX = 'trl_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^\\w{4}[${DIGITS}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Random characters of base 62; each carries 5.95 bits. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');

/** A new access token with 190 bits of randomness. */
export const newAccessToken = (): string => newSecret(PREFIX);

/** Whether form and checksum are right, which detects a mistyped or truncated token. */
export const isAccessToken = (text: string): boolean => isSecret(text, PREFIX);

/** The code of a new sign-in link, with 190 bits of randomness. */
export const newSignInCode = (): string => newSecret(CODE_PREFIX);

/** Whether form and checksum of a code are right. */
export const isSignInCode = (text: string): boolean => isSecret(text, CODE_PREFIX);

function newSecret(prefix: string): string {
  const body = `${prefix}${randomText(RANDOM_LENGTH)}`;
  return body + checksumOf(body);
}

const isSecret = (text: string, prefix: string): boolean =>
  FORM.test(text) &&
  text.startsWith(prefix) &&
  text.endsWith(checksumOf(text.slice(0, prefix.length + RANDOM_LENGTH)));

/** Whether the text is meant as an access token of this service, valid or not. */
export const hasTokenPrefix = (text: string): boolean => text.startsWith(PREFIX);

/** Whether the text may contain an access token or the code of a sign-in link. */
export const couldContainToken = (text: string): boolean =>
  text.includes(PREFIX) || text.includes(CODE_PREFIX);

/** Hexadecimal SHA-256, the only form in which a token or a code is stored. */
export const hashOfToken = (token: string): string => hash('sha256', token);

/** CRC-32 (ISO 3309) in base 62. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at += 1) {
    text = DIGITS[rest % DIGITS.length] + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
