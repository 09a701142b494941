/**
 * Secrets of webhooks, in the form that Standard Webhooks defines: `whsec_` and base64.
 *
 * They are derived from the key of the database and stored nowhere: neither the table of webhooks nor a
 * log of its statements has them.
 */

import { createHmac } from 'node:crypto';

/** Hours after a rotation in which messages are signed with the former secret, too. */
export const OVERLAP_HOURS = 24;

const OVERLAP = OVERLAP_HOURS * 3_600_000;

export interface SecretState {
  /** How often the secret was rotated. */
  readonly rotation: number;
  /** The time of the last rotation (ISO 8601); null if there was none. */
  readonly rotatedAt: string | null;
}

/** The prefix keeps these values apart from everything else that is derived from this key. */
const derived = (key: Buffer, ...parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', key)
    .update(`webhooks\n${JSON.stringify(parts)}`)
    .digest();

export const webhookSecret = (key: Buffer, id: string, rotation: number): string =>
  `whsec_${derived(key, 'secret', id, rotation).toString('base64')}`;

/** The secrets that sign now, the present one first. */
export function signingSecrets(
  key: Buffer,
  id: string,
  { rotation, rotatedAt }: SecretState,
  now: number,
): readonly string[] {
  const present = webhookSecret(key, id, rotation);
  const isRecent = rotatedAt !== null && now < Date.parse(rotatedAt) + OVERLAP;
  return isRecent ? [present, webhookSecret(key, id, rotation - 1)] : [present];
}

/** Derives the id of a message from the numbers of its positions. The id does not reveal them. */
export const messageId = (key: Buffer, id: string, position: readonly number[]): string =>
  `msg_${derived(key, 'message', id, ...position)
    .subarray(0, 24)
    .toString('base64url')}`;
