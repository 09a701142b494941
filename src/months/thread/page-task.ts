/** The messages between the main thread and the page thread. */

import type { Order } from '../../contract/query/parameters.ts';
import { RECORD_FIELDS } from '../../contract/record/records.ts';
import type { ListPlan, Presentation } from '../../plan/list-plan.ts';
import type { Page } from '../../reading/pages/page.ts';
import type { BlocksOfMonth, FoundBlock } from '../rows/found-block.ts';
import type { KeyRange } from '../rows/key-range.ts';

/** A page to write, with all that the page thread must know. */
export interface PageTask extends Pick<Presentation, 'role' | 'form' | 'locale'> {
  /** Undefined for all fields of the role. */
  readonly fieldNames: readonly string[] | undefined;
  readonly order: Order;
  /** The most records; infinite for a whole list. */
  readonly limit: number;
  readonly ranges: readonly KeyRange[];
  /** Whether all rows are in the blocks. Otherwise the page can be written only if they have more rows than the limit. */
  readonly isComplete: boolean;
  /** For each month and each range, three numbers of each block: see `numbersOf`. */
  readonly months: readonly (readonly (readonly number[])[])[];
  /** The compressed bytes of all blocks, one after the other. */
  readonly frames: Uint8Array<ArrayBuffer>;
}

/** The bytes of a block when compressed, its bytes, and its rows. */
const numbersOf = ({ block, rows }: FoundBlock) => [block.compressed.length, block.size, rows];

interface ChosenBlocks extends Pick<PageTask, 'limit' | 'ranges' | 'isComplete'> {
  readonly months: readonly BlocksOfMonth[];
}

/** The task for a page whose rows are in these blocks. */
export function pageTask(
  { role, form, locale, fields, order }: ListPlan,
  { limit, ranges, isComplete, months }: ChosenBlocks,
): PageTask {
  return {
    role,
    form,
    locale,
    fieldNames: fields === RECORD_FIELDS[role] ? undefined : fields.map(({ name }) => name),
    order,
    limit,
    ranges,
    isComplete,
    months: months.map((lists) => lists.map((list) => list.flatMap(numbersOf))),
    frames: framesOf(months.flat(2)),
  };
}

function framesOf(found: readonly FoundBlock[]): Uint8Array<ArrayBuffer> {
  const size = found.reduce((all, { block }) => all + block.compressed.length, 0);
  const frames = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (const { block } of found) end += block.compressed.copy(frames, end);
  return frames;
}

/** The blocks of a task. They are parts of its frames. */
export function blocksOf({ months, frames }: PageTask): readonly BlocksOfMonth[] {
  const bytes = Buffer.from(frames.buffer);
  let start = 0;
  const blocksFrom = (numbers: readonly number[]): readonly FoundBlock[] => {
    const blocks: FoundBlock[] = [];
    for (let at = 0; at < numbers.length; at += 3) {
      const [length = 0, size = 0, rows = 0] = numbers.slice(at, at + 3);
      blocks.push({ block: { compressed: bytes.subarray(start, start + length), size }, rows });
      start += length;
    }
    return blocks;
  };
  return months.map((lists) => lists.map(blocksFrom));
}

export function presentationOf({ role, form, locale, fieldNames }: PageTask): Presentation {
  const record = RECORD_FIELDS[role];
  const fields = fieldNames?.flatMap((name) => record.filter((field) => field.name === name));
  return { role, form, locale, fields: fields ?? record };
}

/** A page as the page thread sends it. */
export interface SentPage extends Omit<Page, 'bytes' | 'room' | 'release'> {
  /** The records and the free bytes after them. */
  readonly memory: ArrayBuffer;
  /** Bytes of the records. */
  readonly size: number;
}

/** A task with its number, so that each request gets its own page. */
export interface NumberedTask {
  readonly number: number;
  readonly task: PageTask;
  /** The memory of an earlier page, for the records if they fit in it. */
  readonly spare: ArrayBuffer | undefined;
}

/** What the page thread sends: `ready` once, then a page for each task, or undefined if the main thread must write it. */
export type ThreadMessage =
  | 'ready'
  | { readonly number: number; readonly page: SentPage | undefined };
