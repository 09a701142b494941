/** Sends a report as one file that was made whole before: its length is told, so a short one is broken. */

import type { FastifyReply } from 'fastify';
import { RECORDS } from '../contract/records.ts';
import { type FilePlan, fileStatement } from '../plan/file-statement.ts';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { Failures } from '../store/failures.ts';
import type { OutgoingFile, OutgoingFiles } from '../store/outgoing-files.ts';
import { release } from '../store/release.ts';
import { readPage } from '../store/report-page.ts';
import { contentCoding } from './content-coding.ts';
import type { CursorSeal } from './cursor.ts';
import { sendBlocks } from './send-blocks.ts';
import { linkToNext } from './send-page.ts';
import { type ReportSource, STALL_TIMEOUT } from './send-report.ts';

export interface FileSource extends ReportSource {
  readonly files: OutgoingFiles;
}

/** Such files are compressed inside. */
const CODINGS = ['identity'] as const;

export async function sendFile(
  plan: FilePlan,
  source: FileSource,
  seal: CursorSeal,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  contentCoding(reply.request.headers['accept-encoding'], CODINGS);
  const { limit, ...unlimited } = plan;
  const through = limit === undefined ? undefined : await endOfPage(plan, limit, source, signal);
  if (through !== undefined) linkToNext(reply, through, seal);
  if (reply.request.method === 'HEAD') return reply.send();
  const { file, size } = await made(
    // Nobody's record is left out if one comes in meanwhile, as it would be by counting again.
    through === undefined ? unlimited : { ...unlimited, through },
    source,
    signal,
  );
  try {
    reply.hijack();
    reply.header('content-length', size);
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    const body = { blocks: bytesOf({ file, size }), end: '', giveBack: release };
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

/** The place of a page's last record, where more follow. */
async function endOfPage(
  plan: ReportPlan,
  limit: number,
  source: ReportSource,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const places: ReportPlan = {
    ...plan,
    form: 'ndjson',
    fields: RECORDS[plan.audience].slice(0, 1),
  };
  return (await readPage(places, limit, source, signal)).next;
}

/** A file is made anew where the engine fails in the middle of it. */
async function made(
  plan: FilePlan,
  source: FileSource,
  signal: AbortSignal,
): Promise<OutgoingFile> {
  return await new Failures(signal).untilDone(
    async () =>
      await source.files.make(async (path, whileRoom) => {
        for await (const _ of source.reader.read(fileStatement(plan, path), whileRoom));
      }, signal),
  );
}

const BLOCK = 1024 * 1024;

async function* bytesOf({ file, size }: OutgoingFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK, size - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0) throw new RangeError('A file has become shorter.');
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
