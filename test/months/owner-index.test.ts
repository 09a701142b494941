import { expect, test } from 'vitest';
import type { Order } from '../../src/contract/query/parameters.ts';
import { BlockBuilder } from '../../src/months/rows/block-builder.ts';
import type { OwnerScopes } from '../../src/months/rows/owner-index.ts';
import type { RowBlocks, WantedRows } from '../../src/months/rows/row-blocks.ts';
import { rowsIn } from '../../src/months/rows/stored-row.ts';
import { WorkLimit } from '../../src/months/rows/work-limit.ts';

/** Bytes of the frame, which precedes a row's text. */
const FRAME = 34;
const TEXT = 1000;
const ROWS = 3000;
const BIG_ID = 2 ** 40;

const programOf = (at: number): number => (at % 100 === 0 ? BIG_ID : at % 7);
const publisherOf = (at: number): number => Math.floor(at / 10);

function rowAt(at: number): Buffer {
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32LE(TEXT, 0);
  frame.writeUInt32LE(at, 8);
  frame.writeUInt32LE(at, 16);
  return Buffer.concat([frame, Buffer.alloc(TEXT, at)]);
}

const key = (at: number) => ({ kind: 0, owner: 0, at, transactionId: 0 });

/** The blocks, which all tests share. */
let built: RowBlocks | undefined;

function blocks(): RowBlocks {
  built ??= build();
  return built;
}

function build(): RowBlocks {
  const builder = new BlockBuilder(({ at }) => ({
    programId: programOf(at),
    publisherId: publisherOf(at),
  }));
  for (let at = 0; at < ROWS; at += 1) for (const row of rowsIn(rowAt(at))) builder.add(row);
  return builder.finish();
}

const SELECTIONS = [
  { programIds: [BIG_ID], publisherIds: 'all' },
  { programIds: [3, 5], publisherIds: 'all' },
  { programIds: 'all', publisherIds: [17, 250, 9999] },
  { programIds: [99], publisherIds: 'all' },
  { programIds: [], publisherIds: 'all' },
  { programIds: 'all', publisherIds: 'all' },
] as const;

/** The dates of the selected rows in `RANGE`. */
const expectedOf = ({ programIds, publisherIds }: OwnerScopes): readonly number[] =>
  Array.from({ length: ROWS }, (_, at) => at).filter(
    (at) =>
      at >= 101 &&
      at < 2777 &&
      (programIds === 'all' || programIds.includes(programOf(at))) &&
      (publisherIds === 'all' || publisherIds.includes(publisherOf(at))),
  );

const RANGE = { low: key(101), high: key(2777) };

const read = (wanted: Omit<WantedRows, 'range'>, order: Order): readonly number[] =>
  Array.from(blocks().between({ range: RANGE, ...wanted }, order, new WorkLimit()), ({ at }) => at);

test.each(SELECTIONS)('the rows of %o are found in both orders, and counted', (owners) => {
  const expected = expectedOf(owners);
  expect(read({ owners }, 'asc')).toEqual(expected);
  expect(read({ owners }, 'desc')).toEqual(expected.toReversed());
  expect(blocks().countBetween({ range: RANGE, owners }, new WorkLimit())).toBe(expected.length);
});

test('if the selected programs have too many rows for the index, their rows are not counted', () => {
  const builder = new BlockBuilder(({ at }) => ({ programId: at % 3, publisherId: 1 }));
  const short = Buffer.alloc(FRAME);
  for (let at = 0; at < 90_000; at += 1) {
    short.writeUInt32LE(at, 8);
    short.writeUInt32LE(at, 16);
    for (const row of rowsIn(short)) builder.add(row);
  }
  const many = builder.finish();
  const range = { low: key(0), high: key(90_000) };
  const count = (owners?: OwnerScopes) => many.countBetween({ range, owners }, new WorkLimit());
  expect(count({ programIds: [0, 1], publisherIds: 'all' })).toBeUndefined();
  expect(count({ programIds: [1], publisherIds: 'all' })).toBe(30_000);
  expect(count()).toBe(90_000);
});

test('if programs and publishers are selected, the rows of the smaller selection are found', () => {
  const publisherIds = [17];
  const owners = { programIds: [3], publisherIds };
  expect(read({ owners }, 'asc')).toEqual(expectedOf({ programIds: 'all', publisherIds }));
});

test.each(['asc', 'desc'] as const)('blocks to read whole are read in order (%s)', (order) => {
  const owners = { programIds: [BIG_ID], publisherIds: 'all' as const };
  const whole = new Set([9, 30, 4]);
  const isWhole = (at: number) => whole.has(blocks().indexOf({ ...key(at), transactionId: at }));
  const expected = Array.from({ length: ROWS }, (_, at) => at).filter(
    (at) => at >= 101 && at < 2777 && (programOf(at) === BIG_ID || isWhole(at)),
  );
  expect(expected.length).toBeGreaterThan(60);
  const inOrder = order === 'asc' ? expected : expected.toReversed();
  expect(read({ owners, whole }, order)).toEqual(inOrder);
});

test('the blocks of many rows are found in one pass', () => {
  const keys = Array.from({ length: ROWS + 20 }, (_, at) => ({ ...key(at), transactionId: at }));
  const before = { ...key(0), kind: -1 };
  const each = [before, ...keys].map((one) => blocks().indexOf(one));
  expect([...blocks().indexesOf([before, ...keys])]).toEqual(each);
  expect(new Set(each).size).toBeGreaterThan(50);
});

test('the memory of all rows is freed at the end of an answer', () => {
  const work = new WorkLimit();
  const wanted = { range: { low: key(0), high: key(ROWS) } };
  const rows = Array.from(blocks().between(wanted, 'asc', work));
  expect(rows).toHaveLength(ROWS);
  work.free();
  expect(rows.every(({ bytes }) => bytes.length === 0)).toBe(true);
});

test('an answer that needs too many blocks is given up before one is read', () => {
  const limit = new WorkLimit();
  const block = { size: 1024 * 1024 };
  const next = Array.from({ length: 7 }, () => ({ rows: 1, block }));
  expect(limit.take(next.slice(0, 4).values())).toHaveLength(4);
  expect(limit.isExceeded).toBe(false);
  expect(limit.take(next.values())).toEqual([]);
  expect(limit.isExceeded).toBe(true);
  expect(limit.take(next.slice(0, 1).values())).toEqual([]);
});
