/** Sends a report as one file that was made whole before: its length is told, so a short one is broken. */

import type { FastifyReply } from 'fastify';
import type { ExportFile, ExportFiles } from '../../disk/export-files.ts';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { FilePlan } from '../../plan/file-statement.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { writeReport } from '../../reading/report-file.ts';
import { readPageEnd } from '../../reading/report-page.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import type { CursorSeal } from '../pagination/cursor.ts';
import { linkToNext } from '../pagination/next-link.ts';
import { STALL_TIMEOUT } from './abort-on-disconnect.ts';
import { sendBlocks } from './send-blocks.ts';
import type { ReportDeps } from './send-report.ts';

export interface ExportDeps extends ReportDeps {
  readonly exportFiles: ExportFiles;
}

/** Such files are compressed inside. */
const CODINGS = ['identity'] as const;

export async function sendFile(
  plan: FilePlan,
  source: ExportDeps,
  seal: CursorSeal,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  contentCoding(reply.request.headers['accept-encoding'], CODINGS);
  const page: PagePlan =
    plan.limit === undefined ? plan : await pageOf(plan, plan.limit, source, signal);
  if (page.next !== undefined) linkToNext(reply, page.next, seal);
  if (reply.request.method === 'HEAD') return reply.send();
  const { file, size } = await writeReport(page, source, signal);
  try {
    reply.hijack();
    reply.header('content-length', size);
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    const body = { blocks: bytesOf({ file, size }), end: '', giveBack: freeBuffer };
    reply.request.bodyBytes = await sendBlocks(
      reply.raw,
      body,
      source.stallTimeout ?? STALL_TIMEOUT,
    );
    return undefined;
  } finally {
    await file.close();
  }
}

type PagePlan = FilePlan & { readonly next?: KeysetPosition };

/**
 * A page as what lies between two places: nobody's record is left out of all pages if one comes in
 * meanwhile, as it would be by counting again.
 */
async function pageOf(
  { limit: _, ...plan }: FilePlan,
  limit: number,
  source: ReportDeps,
  signal: AbortSignal,
): Promise<PagePlan> {
  const { last, isFollowed } = await readPageEnd(plan, limit, source, signal);
  if (last === undefined) return { ...plan, until: plan.from };
  return { ...plan, through: last, ...(isFollowed ? { next: last } : {}) };
}

const BLOCK = 1024 * 1024;

async function* bytesOf({ file, size }: ExportFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK, size - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0) throw new RangeError('A file has become shorter.');
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
