/** Entry point of the page thread: decompresses blocks and writes their rows. */

import { parentPort } from 'node:worker_threads';
import { freeBuffer } from '../../disk/free-buffer.ts';
import { rowsOfBlocks } from '../rows/found-block.ts';
import { rowsOfMonths } from '../rows/merged-rows.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { WorkLimit } from '../rows/work-limit.ts';
import { rowWriter } from '../writing/record-writer.ts';
import { firstRows, writtenPage } from '../writing/written-page.ts';
import {
  blocksOf,
  type NumberedTask,
  type PageTask,
  presentationOf,
  type SentPage,
  type ThreadMessage,
} from './page-task.ts';

/** The rows of a task, in the order of its answer. */
function rowsOf(task: PageTask, work: WorkLimit): Iterable<StoredRow> {
  const { ranges, order } = task;
  const months = blocksOf(task).map((lists) =>
    ranges.map((range, at) => rowsOfBlocks((lists[at] ?? []).values(), range, order, work)),
  );
  return rowsOfMonths(months, order, work);
}

/** Undefined if the main thread must write the page. If a block cannot be read, the main thread reports the error. */
function pageOf({ task, spare }: NumberedTask): SentPage | undefined {
  const { limit, isComplete } = task;
  const work = new WorkLimit(limit + 1);
  try {
    const found = firstRows(rowsOf(task, work), limit);
    const hasAll = (isComplete || found.isFollowed) && !work.isExceeded;
    if (!hasAll) return undefined;
    const write = rowWriter(presentationOf(task));
    const { bytes, room: _, ...page } = writtenPage(found, write, spare);
    return { ...page, memory: bytes.buffer, size: bytes.length };
  } catch {
    return undefined;
  } finally {
    work.free();
    freeBuffer(task.frames);
  }
}

parentPort?.on('message', (numbered: NumberedTask) => {
  const { spare } = numbered;
  const page = pageOf(numbered);
  if (spare !== undefined && page?.memory !== spare) freeBuffer(new Uint8Array(spare));
  parentPort?.postMessage(
    { number: numbered.number, page } satisfies ThreadMessage,
    page ? [page.memory] : [],
  );
});

parentPort?.postMessage('ready' satisfies ThreadMessage);
