/** Finds the kept file of a list, or writes it. */

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientFiles, ExportFile } from '../../disk/export-files.ts';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { FileKey, KeptFile, KeptFiles } from '../../disk/kept-files.ts';
import type { FilePlan } from '../../plan/file-statement.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { writeListFile } from '../../reading/list-file.ts';
import { readPageBounds } from '../../reading/pages/list-page.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { CursorScope } from '../pagination/cursor.ts';
import { type EntityTagDeps, entityTag, fileTag, tagsIn } from '../replies/entity-tag.ts';
import { byteRange } from './byte-range.ts';
import { bytesOf } from './file-bytes.ts';
import type { SendDeps } from './send-list.ts';

/** What is known of a kept file. */
export interface KeptListFacts {
  /** The entity tag of its rows, which changes with the data. */
  readonly rowsTag: string;
  /** The entity tag of its bytes. */
  readonly tag: string;
  /** The hash of its bytes. */
  readonly hash: string;
  /** The number of records of a page; undefined if the file is not a page. */
  readonly rows: number | undefined;
  /** The position of the last record if another page follows. */
  readonly next: KeysetPosition | undefined;
  /** The position in the change feed before the file was written. */
  readonly changesAfter: string | undefined;
}

export type KeptList = KeptFile<KeptListFacts>;

export interface FileDeps extends SendDeps, EntityTagDeps {
  readonly files: ClientFiles;
  readonly keptFiles: KeptFiles<KeptListFacts>;
  readonly scope: CursorScope;
}

/** A file, and whether its parts may be sent. */
interface Choice<Kept> {
  readonly kept: Kept | undefined;
  readonly mayBePart: boolean;
}

/**
 * Chooses the kept file that answers a request.
 *
 * A reader that names a file by `If-Range` or `If-Match` stays with it when the rows change. Without these
 * headers, a part is sent only if all kept files have the same bytes. Otherwise the reader could mix their parts.
 * Such a reader stays with a file for some minutes, and then gets the new rows.
 */
export function chooseFile<Kept extends Pick<KeptList, 'facts' | 'isOutdated'>>(
  files: readonly Kept[],
  rowsTag: string,
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
): Choice<Kept> {
  const current = files.findLast(({ facts }) => facts.rowsTag === rowsTag);
  const isPart = asksForPart({ method, headers });
  const named = namedTags(headers, isPart);
  if (named.length > 0) {
    const meant = files.find(({ facts }) => named.includes(facts.tag));
    // Without a kept file of that tag, the current file is used, or a new one, which may get the same tag.
    // `sendKept` compares the tags before it sends a part.
    return { kept: meant ?? current, mayBePart: isPart };
  }
  if (!isPart) return { kept: current, mayBePart: false };
  // Files with the same bytes can have different tags. For example, the tag has a random version if a server of
  // the cluster did not report its own in time. Readers such as DuckDB give up if the tag changes, so they get the
  // file that was read last.
  const usable = files.filter((file) => !file.isOutdated || file === current);
  const hashes = new Set(usable.map(({ facts }) => facts.hash));
  return hashes.size === 1
    ? { kept: usable.at(-1), mayBePart: true }
    : { kept: current, mayBePart: false };
}

/** Whether a request asks for a part by its header `Range`. Any other one must be ignored (RFC 9110, 14.2). */
export const asksForPart = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>) =>
  method === 'GET' && byteRange(headers.range ?? '', Number.POSITIVE_INFINITY) !== 'whole';

/** The tags of the files that a request names. `If-Match: *` names none. */
function namedTags(
  { 'if-match': ifMatch, 'if-range': ifRange }: FastifyRequest['headers'],
  isPart: boolean,
): readonly string[] {
  const tags = tagsIn(ifMatch ?? '*');
  if (!tags.includes('*')) return tags;
  return isPart && ifRange !== undefined ? [ifRange].flat() : [];
}

/**
 * The key of a principal's kept files for a plan. It changes when values are removed from rows, such as by an
 * erasure, so that files that still have them are not used any more.
 */
export async function keyOf(
  plan: FilePlan,
  { tableVersions, tagKey, scope }: FileDeps,
  signal: AbortSignal,
): Promise<FileKey> {
  const removals = await new RetryPolicy(signal).run(() => tableVersions.removalVersion());
  const fields = plan.fields.map(({ name }) => name);
  return { owner: scope.principal.id, name: entityTag({ ...plan, fields }, removals, tagKey) };
}

/**
 * Writes the file of a list. The caller closes it. Undefined if the key has changed meanwhile: the file may have values
 * that were removed, and nothing would remove it from the kept files.
 */
export async function writeKeptFile(
  plan: FilePlan,
  key: FileKey,
  deps: FileDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<{ readonly file: ExportFile; readonly facts: KeptListFacts } | undefined> {
  const rowsTag = String(reply.getHeader('etag'));
  const position = reply.getHeader('changes-after');
  const { rows, next, ...page } =
    plan.limit === undefined
      ? { ...plan, rows: undefined, next: undefined }
      : await pageOf(plan, plan.limit, deps, signal);
  const file = await writeListFile(page, deps, signal);
  try {
    const hash = await hashOf(file, signal);
    const { name } = await keyOf(plan, deps, signal);
    if (name !== key.name) {
      await file.close();
      return undefined;
    }
    const tag = fileTag(rowsTag, hash);
    const changesAfter = position === undefined ? undefined : String(position);
    return { file, facts: { rowsTag, tag, hash, rows, next, changesAfter } };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function hashOf(file: ExportFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of bytesOf(file)) {
    signal.throwIfAborted();
    hash.update(block);
    freeBuffer(block);
  }
  return hash.digest('base64url').slice(0, 22);
}

type PagePlan = FilePlan & Pick<KeptListFacts, 'rows' | 'next'>;

/**
 * Limits a page by the position of its last record. With a count, a record imported meanwhile could push the
 * last record off the page, although the next page begins after it.
 */
async function pageOf(
  { limit: _, ...given }: FilePlan,
  limit: number,
  deps: SendDeps,
  signal: AbortSignal,
): Promise<PagePlan> {
  const { before, last, rows, isFollowed } = await readPageBounds(given, limit, deps, signal);
  const { offset: __, ...all } = given;
  const plan = before === undefined ? all : { ...all, after: before };
  if (last === undefined) return { ...plan, rows, next: undefined, until: plan.from };
  return { ...plan, rows, through: last, next: isFollowed ? last : undefined };
}
