/**
 * Secrets of webhooks, in the form that Standard Webhooks defines: `whsec_` and base64.
 *
 * They are derived from the key of the database and stored nowhere: neither the table of webhooks nor a
 * log of its statements has them.
 */

import { createHmac } from 'node:crypto';

/** Milliseconds after a rotation in which messages are signed with the former secret, too. */
const OVERLAP = 24 * 3_600_000;

/** The maximum number of secrets that sign a message. More rotations within 24 hours end the oldest ones. */
const MAX_SECRETS = 4;

/** An earlier rotation, which is kept as long as the secret before it signs. */
interface EarlierRotation {
  readonly rotation: number;
  /** ISO 8601. */
  readonly rotatedAt: string;
}

export interface SecretState {
  /** How often the secret was rotated. */
  readonly rotation: number;
  /** The time of the last rotation (ISO 8601); null if there was none. */
  readonly rotatedAt: string | null;
  /** The rotations before the last one, newest first; absent in webhooks of earlier versions. */
  readonly earlier?: readonly EarlierRotation[] | undefined;
}

/** The prefix keeps these values apart from everything else that is derived from this key. */
const derived = (key: Buffer, ...parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', key)
    .update(`webhooks\n${JSON.stringify(parts)}`)
    .digest();

export const webhookSecret = (key: Buffer, id: string, rotation: number): string =>
  `whsec_${derived(key, 'secret', id, rotation).toString('base64')}`;

/** The secrets that sign now, the present one first. A former one signs until 24 hours after its replacement. */
export function signingSecrets(
  key: Buffer,
  id: string,
  state: SecretState,
  now: number,
): readonly string[] {
  const former = recentRotations(state, now).map(({ rotation }) => rotation - 1);
  return [state.rotation, ...former].map((rotation) => webhookSecret(key, id, rotation));
}

/** The state after one more rotation. */
export const rotatedSecret = (state: SecretState, now: number): SecretState => ({
  rotation: state.rotation + 1,
  rotatedAt: new Date(now).toISOString(),
  earlier: recentRotations(state, now).slice(0, MAX_SECRETS - 2),
});

function recentRotations(
  { rotation, rotatedAt, earlier = [] }: SecretState,
  now: number,
): readonly EarlierRotation[] {
  const last = rotatedAt === null ? [] : [{ rotation, rotatedAt }];
  return [...last, ...earlier].filter((one) => now < Date.parse(one.rotatedAt) + OVERLAP);
}

/** Derives the id of a message from the numbers of its positions. The id does not reveal them. */
export const messageId = (key: Buffer, id: string, position: readonly number[]): string =>
  `msg_${derived(key, 'message', id, ...position)
    .subarray(0, 24)
    .toString('base64url')}`;
