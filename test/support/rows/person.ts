/** A person whose values in transactions occur nowhere else, and the bytes of these values in files. */

import { type FileRow, fileRow } from './file-rows.ts';

export const PERSON = {
  ip_address: '203.0.113.77',
  pid: 'pid-of-the-person',
  clickid: 'click-of-the-person',
  subid: 'sub-of-the-person',
  token: 'token-of-the-person',
  orderid: 8_123_456_789_012,
  userid: 8_210_987_654_321,
  first_referer: 'https://example.org/first-of-the-person',
  last_referer: 'https://example.org/last-of-the-person',
  referer: 'https://example.org/referer-of-the-person',
} as const satisfies FileRow;

const UNUSED = { orderid: null, userid: null, first_referer: null, last_referer: null } as const;

/** A sale of the person, or a click, which has no order and user. */
export const personRow = (given: FileRow): FileRow =>
  fileRow({ ...PERSON, ...(given.type === 'clics' ? UNUSED : {}), ...given });

const eightBytes = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** Every form in which a file could have a value: as text, and integers as their eight bytes. */
export const BYTES_OF_PERSON: readonly (string | Uint8Array)[] = Object.values(PERSON).flatMap(
  (value) => (typeof value === 'number' ? [String(value), eightBytes(value)] : [value]),
);
