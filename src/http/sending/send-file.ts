/** Sends a report as a finished file with a `Content-Length`, so that clients notice a cut connection. */

import type { FastifyReply } from 'fastify';
import type { ClientFiles, ExportFile } from '../../disk/export-files.ts';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { FilePlan } from '../../plan/file-statement.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { writeReport } from '../../reading/report-file.ts';
import { readPageEnd } from '../../reading/report-page.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import type { CursorScope } from '../pagination/cursor.ts';
import { linkToNext } from '../pagination/next-link.ts';
import { sendBlocks } from './send-blocks.ts';
import type { ReportDeps } from './send-report.ts';

export interface ExportDeps extends ReportDeps {
  readonly files: ClientFiles;
}

/** The formats compress their content themselves. */
const CODINGS = ['identity'] as const;

export async function sendFile(
  plan: FilePlan,
  deps: ExportDeps,
  scope: CursorScope,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  contentCoding(reply.request.headers['accept-encoding'], CODINGS);
  const page: PagePlan =
    plan.limit === undefined ? plan : await pageOf(plan, plan.limit, deps, signal);
  reply.request.sentRows = page.rows;
  if (page.next !== undefined) linkToNext(reply, page.next, scope);
  if (reply.request.method === 'HEAD') return reply.send();
  const written = await writeReport(page, deps, signal);
  try {
    reply.header('content-length', written.size);
    const body = { blocks: bytesOf(written), end: '', free: freeBuffer };
    await sendBlocks(reply, body, deps.stallTimeout);
    return undefined;
  } finally {
    await written.close();
  }
}

type PagePlan = FilePlan & { readonly next?: KeysetPosition; readonly rows?: number };

/**
 * Limits a page by the position of its last record, not by a count: a record imported in the
 * meantime could push another one out of all pages.
 */
async function pageOf(
  { limit: _, ...plan }: FilePlan,
  limit: number,
  deps: ReportDeps,
  signal: AbortSignal,
): Promise<PagePlan> {
  const { last, rows, isFollowed } = await readPageEnd(plan, limit, deps, signal);
  if (last === undefined) return { ...plan, rows, until: plan.from };
  return { ...plan, rows, through: last, ...(isFollowed ? { next: last } : {}) };
}

const BLOCK = 1024 * 1024;

async function* bytesOf({ file, size }: ExportFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK, size - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0) throw new RangeError('The file is shorter than before.');
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
