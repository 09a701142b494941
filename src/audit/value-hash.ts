/** Keyed hash of a value that may be personal, so that the audit log can be searched for it without holding it. */

import { createHmac } from 'node:crypto';

/** The hash of the value of a field. Equal values of different fields have different hashes. */
export type HashValue = (field: string, value: string) => string;

/** Characters of base64url: 128 bits. */
const LENGTH = 22;

export const valueHash =
  (key: Buffer): HashValue =>
  (field, value) =>
    createHmac('sha256', key).update(`${field}\n${value}`).digest('base64url').slice(0, LENGTH);
