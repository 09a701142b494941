/**
 * Tags of answers (RFC 9110, 8.8.3): the same tag, the same rows in the same form.
 *
 * They are weak, as one tag stands for an answer in every content coding.
 */

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Selection } from '../plan/report-plan.ts';
import type { DataStates } from '../store/data-state.ts';
import { Failures } from '../store/failures.ts';

/** Of everything that decides about an answer, and the state of the data before it was read. */
export function entityTag(asked: object, state: string): string {
  const hash = createHash('sha256').update(JSON.stringify(asked)).update(state);
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

/** Whether a client has what the tag stands for (RFC 9110, 13.1.2: compared weakly). */
export function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const given = ifNoneMatch?.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
  return given.some((known) => known === '*' || opaque(known) === opaque(tag));
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** May be kept by whoever asked, and is to be asked for again each time. */
const CACHE_CONTROL = 'private, no-cache';

/** Tags the answer to what is planned; true where the client has it already and is told so (304). */
export async function isAnsweredByTag(
  reply: FastifyReply,
  plan: Selection,
  table: string,
  states: DataStates,
  signal: AbortSignal,
): Promise<boolean> {
  // Known before anything is read: what is read later may be newer than the tag says, never older.
  const state = await new Failures(signal).untilDone(() => states.stateOf(plan, table));
  const tag = entityTag(plan, state);
  reply.header('etag', tag).header('cache-control', CACHE_CONTROL);
  if (!isKnown(tag, reply.request.headers['if-none-match'])) return false;
  reply.code(304);
  return true;
}
