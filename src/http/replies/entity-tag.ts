/**
 * Tags of answers (RFC 9110, 8.8.3): the same tag, the same rows in the same form.
 *
 * They are weak, as one tag stands for an answer in every content coding. They are made with a
 * secret: the version covers rows of others too, and a client that could make tags itself would
 * try versions until one fits, and so learn how often others get rows.
 */

import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import type { Selection } from '../../plan/report-plan.ts';
import { tablesReadBy } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { TableVersions } from '../../reading/table-versions.ts';

export interface EntityTagDeps {
  readonly tableVersions: TableVersions;
  /** The secret with which cursors are signed. */
  readonly cursorKey: Buffer;
}

/** What an answer is of. */
export interface Tagged {
  readonly plan: Selection;
  /** Where its rows are. */
  readonly table: string;
  /** Whether their number goes with it. */
  readonly isCounted: boolean;
}

/** Of everything that decides about an answer, and the version of the data before it was read. */
export function entityTag(asked: object, version: string, key: Buffer): string {
  // Begins as nothing else does that is signed with the key; the version writes what is not stored.
  const hash = createHmac('sha256', key)
    .update(`tag\n${VERSION}\n${JSON.stringify(asked)}`)
    .update(version);
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
  { plan, table, isCounted }: Tagged,
  { tableVersions, cursorKey }: EntityTagDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const known = reply.request.headers['if-none-match'];
  // Requests of one second share a version, which is too old to say that nothing was written since.
  const isLatest = known !== undefined;
  // Known before anything is read: what is read later may be newer than the tag says, never older.
  const version = await new RetryPolicy(signal).untilDone(() =>
    tableVersions.versionOf(plan, tablesReadBy(plan, table), { isLatest }),
  );
  const tag = entityTag({ ...plan, isCounted }, version, cursorKey);
  reply.header('etag', tag).header('cache-control', CACHE_CONTROL);
  if (!isKnown(tag, known)) return false;
  reply.code(304);
  return true;
}
