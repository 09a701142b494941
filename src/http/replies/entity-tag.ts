/**
 * Entity tags of reports (RFC 9110, 8.8.3): the same tag means the same rows in the same format.
 *
 * Tags are weak, because one tag stands for every content coding. They are keyed (HMAC): the data
 * version also depends on rows of others. With an unkeyed hash, a client could try versions until
 * one fits and so learn how often others get rows.
 */

import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import { DIRECTORY } from '../../plan/directory/directory-names.ts';
import type { Presentation, Selection } from '../../plan/report-plan.ts';
import { tablesReadBy } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { TableVersions } from '../../reading/table-versions.ts';

export interface EntityTagDeps {
  readonly tableVersions: TableVersions;
  /** The secret that signs cursors. */
  readonly cursorKey: Buffer;
}

/** Everything that determines a response, apart from the stored data. */
export interface Representation {
  readonly plan: Selection & Presentation;
  /** The table of its rows. */
  readonly table: string;
  /** The period that holds all of its rows, if it is longer than that of the plan. */
  readonly period?: Pick<Selection, 'from' | 'until'>;
  /** Whether a header has the number of all records. */
  readonly isCounted: boolean;
  /** Whether it has names of the directory. */
  readonly hasNames?: boolean;
  /** Other tables that are read besides that of the rows. */
  readonly furtherTables?: readonly string[];
}

export function entityTag(representation: object, version: string, key: Buffer): string {
  // The prefix differs from everything else that is signed with this key.
  const hash = createHmac('sha256', key)
    .update(`tag\n${VERSION}\n${JSON.stringify(representation)}`)
    .update(version);
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

/** Weak comparison with the header `If-None-Match` (RFC 9110, 13.1.2). */
function matches(tag: string, ifNoneMatch: string | undefined): boolean {
  const given = ifNoneMatch?.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
  return given.some((known) => known === '*' || opaque(known) === opaque(tag));
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** The client may store the response, and must revalidate it before each use. */
const CACHE_CONTROL = 'private, no-cache';

/** Sets the tag of a response; true, with status 304, if the client already has this response. */
export async function isNotModified(
  reply: FastifyReply,
  { plan, table, period, isCounted, hasNames = false, furtherTables = [] }: Representation,
  { tableVersions, cursorKey }: EntityTagDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const ifNoneMatch = reply.request.headers['if-none-match'];
  // Requests of one second share a version; a 304 needs the latest one.
  const isLatest = ifNoneMatch !== undefined;
  const tables = [...tablesReadBy(plan, table), ...(hasNames ? [DIRECTORY] : []), ...furtherTables];
  // Read before the rows, so that the rows may be newer than the tag says, but never older.
  const version = await new RetryPolicy(signal).run(() =>
    tableVersions.versionOf({ ...plan, ...period }, tables, { isLatest }),
  );
  const fields = plan.fields?.map(({ name }) => name);
  const tag = entityTag({ ...plan, fields, isCounted }, version, cursorKey);
  reply.header('etag', tag).header('cache-control', CACHE_CONTROL);
  if (!matches(tag, ifNoneMatch)) return false;
  reply.code(304);
  return true;
}
