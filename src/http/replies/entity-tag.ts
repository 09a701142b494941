/**
 * Entity tags of reports (RFC 9110, 8.8.3): the same tag means the same rows in the same format.
 *
 * A page has a link to the next one that only its principal can use, so its tag depends on the principal, too.
 *
 * Tags are weak, because one tag stands for every content coding: `W/"rows"`. The tags of files are strong
 * and have a hash of the bytes as well: `"rows.bytes"`.
 *
 * Tags are keyed hashes, because the data version also depends on the rows of other clients. With an unkeyed hash, a
 * client could try versions until one fits, and so learn how often others get rows. SHA-512/256 needs no HMAC: its
 * hashes cannot be extended. A call of `hash` costs a sixth of an HMAC.
 */

import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import { DIRECTORY } from '../../plan/directory/directory-names.ts';
import type { Presentation, Selection } from '../../plan/list-plan.ts';
import { usesStoredRecords } from '../../plan/rendering/stored-records.ts';
import { tablesReadBy } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { TableVersions } from '../../reading/table-versions.ts';

export interface EntityTagDeps {
  readonly tableVersions: TableVersions;
  readonly tagKey: Buffer;
}

/** Everything that determines a response, apart from the stored data. */
export interface Representation {
  readonly plan: Selection & Presentation & { readonly limit?: number | undefined };
  /** The table of its rows. */
  readonly table: string;
  /** The period of all rows that are read, if it is longer than that of the plan. */
  readonly period?: Pick<Selection, 'from' | 'until'>;
  /** Whether a header has the number of all records. */
  readonly isCounted: boolean;
  /** Whether it has names of the directory. */
  readonly hasNames?: boolean;
  /** Other tables that are read besides that of the rows. */
  readonly furtherTables?: readonly string[];
  /** Whether it is a file, which is kept and can be read in parts. */
  readonly isFile?: boolean;
  /** Whether it may not exist. The route then reads it before it replies to `If-None-Match: *`. */
  readonly mayBeMissing?: true;
}

export function entityTag(representation: object, version: string, key: Buffer): string {
  const text = [key.toString('hex'), VERSION, JSON.stringify(representation), version].join('\n');
  return `W/"${hash('sha512-256', text, 'base64url').slice(0, 22)}"`;
}

/** The tag of a file with these bytes: strong, because equal tags mean equal bytes. */
export const fileTag = (rowsTag: string, bytesHash: string): string =>
  `"${opaque(rowsTag)}.${bytesHash}"`;

/**
 * The tag in the header `If-None-Match` that matches by weak comparison (RFC 9110, 13.1.2). The tag of a file
 * matches if its part for the rows does.
 */
function matchIn(
  ifNoneMatch: string | undefined,
  tag: string,
  mayBeMissing = false,
): string | undefined {
  return tagsIn(ifNoneMatch).find((known) =>
    known === '*' ? !mayBeMissing : isOfRows(known, tag),
  );
}

/** The tags in the header `If-Match` or `If-None-Match`. A `*` is one of them: it matches any response that exists. */
export const tagsIn = (header = ''): readonly string[] => header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];

/** Whether the tag is that of these rows, or of a file of them. */
export const isOfRows = (tag: string, rowsTag: string): boolean =>
  opaque(tag).split('.')[0] === opaque(rowsTag);

/** The tag without `W/` and without quotes. */
const opaque = (tag: string): string => tag.replace(/^W\//, '').slice(1, -1);

/** The client may store the response, and must revalidate it before each use. */
const CACHE_CONTROL = 'private, no-cache';

/** Sets the tag of a response. If the client already has this response, sets status 304 and returns true. */
export async function setEntityTag(
  reply: FastifyReply,
  {
    plan,
    table,
    period,
    isCounted,
    hasNames,
    furtherTables = [],
    isFile,
    mayBeMissing,
  }: Representation,
  { tableVersions, tagKey }: EntityTagDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const ifNoneMatch = reply.request.headers['if-none-match'];
  // On ClickHouse servers a version may be a second old; a 304 and a kept file need the latest one.
  const isLatest = ifNoneMatch !== undefined || isFile === true;
  const tables = [...tablesReadBy(plan, table), ...(hasNames ? [DIRECTORY] : []), ...furtherTables];
  // Read before the rows, so that the rows may be newer than the tag says, but never older.
  const version = await new RetryPolicy(signal).run(() =>
    tableVersions.versionOf({ ...plan, ...period }, tables, { isLatest }),
  );
  const fields = usesStoredRecords(plan) ? 'all' : plan.fields?.map(({ name }) => name);
  const pageOf = plan.limit === undefined ? undefined : reply.request.principal?.id;
  const tag = entityTag({ ...plan, fields, isCounted, pageOf }, version, tagKey);
  reply.header('etag', tag).header('cache-control', CACHE_CONTROL);
  // `If-Match` comes before `If-None-Match` (RFC 9110, 13.2.2). It names a file, which the client then gets.
  if (isFile && !tagsIn(reply.request.headers['if-match'] ?? '*').includes('*')) return false;
  const known = matchIn(ifNoneMatch, tag, mayBeMissing);
  if (known === undefined) return false;
  // The client has a file with these rows, so the reply repeats the tag of that file.
  if (known.includes('.')) reply.header('etag', known);
  reply.code(304);
  return true;
}
