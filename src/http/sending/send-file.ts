/**
 * Sends a list as a finished file with a `Content-Length`, so that clients notice a cut connection.
 *
 * The file is kept for some minutes, so that clients can read it in parts (RFC 9110, 14) or resume a download.
 */

import type { FastifyReply } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { FilePlan } from '../../plan/file-statement.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { linkToNext } from '../pagination/next-link.ts';
import { isOfRows, tagsIn } from '../replies/entity-tag.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import { bytesOf, wholeOf } from './file-bytes.ts';
import { chooseFile, type FileDeps, type KeptList, keyOf, writeKeptFile } from './kept-list.ts';
import { sendBlocks } from './send-blocks.ts';

/** The formats compress their content themselves. */
const CODINGS = ['identity'] as const;

export async function sendFile(
  plan: FilePlan,
  deps: FileDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const { keptFiles } = deps;
  const { request } = reply;
  contentCoding(request.headers['accept-encoding'], CODINGS);
  const key = await keyOf(plan, deps, signal);
  const rowsTag = String(reply.getHeader('etag'));
  const { kept, mayBePart } = chooseFile(keptFiles.filesOf(key), rowsTag, request);
  if (kept !== undefined && kept.facts.rowsTag !== rowsTag) keptFiles.supersede(kept);
  const send = async (file: KeptList) => await sendKept(file, mayBePart, deps, reply);
  if (kept !== undefined) return await keptFiles.read(kept, send);
  // Before the file is written, which takes long.
  requireMatch(request.headers['if-match'], (tag) => isOfRows(tag, rowsTag));
  const written = await writeKeptFile(plan, key, deps, reply, signal);
  if (written === undefined) return await sendFile(plan, deps, reply, signal);
  return await keptFiles.keep(key, written.file, written.facts, send);
}

async function sendKept(
  kept: KeptList,
  mayBePart: boolean,
  { scope, stallTimeout, keptFiles }: FileDeps,
  reply: FastifyReply,
): Promise<unknown> {
  const { file, facts } = kept;
  const { request } = reply;
  requireMatch(request.headers['if-match'], (tag) => tag === facts.tag);
  reply.headers({ etag: facts.tag, 'accept-ranges': 'bytes' });
  if (facts.changesAfter !== undefined) reply.header('changes-after', facts.changesAfter);
  if (facts.next !== undefined) linkToNext(reply, facts.next, scope);
  const part = mayBePart ? requestedPart(kept, request.headers) : undefined;
  const { first, last } = part ?? wholeOf(file);
  reply.header('content-length', last + 1 - first);
  if (part === undefined) request.sentRows = facts.rows;
  else reply.code(206).header('content-range', `bytes ${first}-${last}/${file.size}`);
  if (request.method === 'HEAD') return reply.send();
  const blocks = bytesOf(file, { first, last });
  await sendBlocks(reply, { blocks, end: '', free: freeBuffer }, stallTimeout);
  // A client that has read the whole file seldom asks for parts of it, so the file is not kept.
  if (part === undefined && !reply.raw.destroyed) keptFiles.forgetUnlessShared(kept);
  return undefined;
}

/** Throws `precondition_failed` if no tag of the header `If-Match` matches (RFC 9110, 13.1.1). */
function requireMatch(ifMatch = '*', matches: (tag: string) => boolean): void {
  const isMet = tagsIn(ifMatch).some((tag) => tag === '*' || matches(tag));
  if (!isMet) throw new Problem('precondition_failed');
}

/** Undefined for the whole file. */
function requestedPart(
  { file, facts }: KeptList,
  { range = '', 'if-range': ifRange }: FastifyReply['request']['headers'],
): ByteRange | undefined {
  if (ifRange !== undefined && ifRange !== facts.tag) return undefined;
  const part = byteRange(range, file.size);
  if (part === 'whole') return undefined;
  if (part !== 'unsatisfiable') return part;
  throw new Problem('range_not_satisfiable', {
    headers: { 'content-range': `bytes */${file.size}` },
  });
}
