import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RECORD_FIELDS } from '../../src/contract/record/records.ts';
import type { PageTask } from '../../src/months/thread/page-task.ts';
import { PageThread } from '../../src/months/thread/page-thread.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import type { Page } from '../../src/reading/pages/page.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const JANUARY = Date.UTC(2026, 0, 1) / 1000;
const FEBRUARY = Date.UTC(2026, 1, 1) / 1000;
const MARCH = Date.UTC(2026, 2, 1) / 1000;

const PLAN = planWith({ role: 'affiliate', from: JANUARY, until: MARCH, publisherIds: [1] });

const KEY = { kind: 1, owner: 1, at: 1, transactionId: 1 };

/** Every call with which a thread gets a task. */
const tasks = vi.spyOn(Worker.prototype, 'postMessage');

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const rows = Array.from({ length: 3000 }, (_, at) =>
    fileRow({
      transaction_id: at + 1,
      publisher_id: 1 + (at % 3),
      created_at: new Date((JANUARY + at * 1600) * 1000).toISOString(),
    }),
  );
  await service.importText(ndjson(rows));
  await service.monthCache?.settled();
});

beforeEach(async () => {
  await textOf(PLAN);
  await service.monthCache?.settled();
  tasks.mockClear();
});

afterAll(async () => {
  tasks.mockRestore();
  await service.close();
});

const pageOf = async (plan: ListPlan) => await service.monthCache?.page(plan);

/** A page without its memory. */
function contentOf(page: Page | undefined) {
  const { room: _, release: __, ...content } = { ...page, bytes: page?.bytes.toString() };
  return content;
}

const textOf = async (plan: ListPlan) => (await pageOf(plan))?.bytes.toString();

/** The page, written by the main thread. */
async function ownPage(plan: ListPlan) {
  const written = vi.spyOn(PageThread.prototype, 'write').mockResolvedValue(undefined);
  const page = await pageOf(plan);
  written.mockRestore();
  return page;
}

const hasProcessors = availableParallelism() > 1;

test.runIf(hasProcessors).each<[string, Partial<ListPlan>]>([
  ['of a whole list', {}],
  ['of the first records', { limit: 7 }],
  ['of all records and no more', { limit: 1000 }],
  ['of the last records', { limit: 7, order: 'desc' }],
  [
    'of the records after a position',
    { limit: 7, after: { at: JANUARY + 99_200, transactionId: 63 } },
  ],
  [
    'of records before and after the end of a month',
    { limit: 20, after: { at: FEBRUARY - 20 * 3 * 1600, transactionId: 1 } },
  ],
  [
    'of the last records before a position',
    { limit: 7, order: 'desc', after: { at: FEBRUARY + 3 * 1600, transactionId: 1 } },
  ],
  ['of several websites', { publisherIds: [3, 1], limit: 500 }],
  ['of no records', { publisherIds: [9] }],
  ['of some fields', { fields: RECORD_FIELDS.affiliate.slice(3, 6).toReversed(), limit: 20 }],
  ['as CSV', { form: 'csv', limit: 20 }],
  ['as NDJSON in English', { form: 'ndjson', locale: 'en', limit: 20 }],
  [
    'for an administrator',
    { role: 'admin', publisherIds: 'all', fields: RECORD_FIELDS.admin, limit: 20 },
  ],
])('a page %s from the page thread equals that of the main thread', async (_, difference) => {
  const plan = { ...PLAN, ...difference };
  const page = await pageOf(plan);
  expect(tasks).toHaveBeenCalledOnce();
  expect(page).toBeDefined();
  expect(contentOf(page)).toEqual(contentOf(await ownPage(plan)));
});

test('filtered rows, and rows that have changed, are read by the main thread', async () => {
  const filters = [{ field: 'status', values: ['1'] }] as const;
  const filtered = { ...PLAN, filters };
  expect(await textOf(filtered)).toBeDefined();
  const changed = { transaction_id: 1, program_id: 77, updated_at: '2026-02-27T10:00:00Z' };
  const created_at = new Date(JANUARY * 1000).toISOString();
  await service.importText(ndjson([fileRow({ ...changed, publisher_id: 1, created_at })]));
  await service.monthCache?.settled();
  expect(await textOf({ ...PLAN, limit: 3 })).toContain('"program_id":77,');
  expect(tasks).not.toHaveBeenCalled();
});

test.runIf(hasProcessors)(
  'the main thread writes the pages if the page thread ends, and the next pages start another one',
  async () => {
    const plans = [[2], [3], [3, 2]].map((publisherIds) => ({ ...PLAN, publisherIds }));
    const expected: unknown[] = [];
    for (const plan of plans) expected.push(contentOf(await ownPage(plan)));
    const pages = async () => (await Promise.all(plans.map(pageOf))).map(contentOf);
    // The thread ends before it gets the tasks.
    for (const _ of plans) tasks.mockImplementationOnce(() => undefined);
    const first = pages();
    await vi.waitFor(() => expect(tasks).toHaveBeenCalledTimes(3));
    const [thread] = tasks.mock.contexts;
    if (!(thread instanceof Worker)) throw new Error('No thread got a task.');
    await thread.terminate();
    expect(await first).toEqual(expected);
    expect(await pages()).toEqual(expected);
    await service.monthCache?.settled();
    expect(await pages()).toEqual(expected);
    expect(tasks).toHaveBeenCalledTimes(6);
    expect(tasks.mock.contexts.slice(3)).not.toContain(thread);
  },
);

const TASK = {
  role: 'affiliate',
  form: 'json',
  locale: 'fr',
  fieldNames: undefined,
  order: 'asc',
  limit: 1,
  ranges: [{ low: KEY, high: { ...KEY, at: 2 } }],
  isComplete: true,
} as const;

const emptyTask = (): PageTask => ({ ...TASK, months: [], frames: new Uint8Array() });

const damagedTask = (): PageTask => ({
  ...TASK,
  months: [[[4, 100, 1]]],
  frames: new Uint8Array(4),
});

/** A page thread that is ready. */
async function readyThread(onFailure: (error: unknown) => void) {
  const pages = new PageThread(onFailure);
  await pages.write(emptyTask);
  await pages.settled();
  return pages;
}

test.runIf(hasProcessors)(
  'a page that the thread cannot write is left to the main thread, and the thread goes on',
  async () => {
    const onFailure = vi.fn();
    const pages = await readyThread(onFailure);
    expect(await pages.write(damagedTask)).toBeUndefined();
    expect(await pages.write(() => ({ ...emptyTask(), isComplete: false }))).toBeUndefined();
    expect(await pages.write(emptyTask)).toMatchObject({ rows: 0, isFollowed: false });
    expect(tasks).toHaveBeenCalledTimes(3);
    expect(onFailure).not.toHaveBeenCalled();
    await pages.close();
    expect(await pages.write(emptyTask)).toBeUndefined();
  },
);

test.runIf(hasProcessors)('a thread that fails is reported once, and pauses', async () => {
  const onFailure = vi.fn();
  const pages = await readyThread(onFailure);
  tasks.mockImplementationOnce(function (this: Worker) {
    this.postMessage('not a task');
  });
  expect(await pages.write(emptyTask)).toBeUndefined();
  expect(await pages.write(emptyTask)).toBeUndefined();
  await pages.settled();
  expect(await pages.write(emptyTask)).toBeUndefined();
  expect(onFailure).toHaveBeenCalledOnce();
  await pages.close();
});

test.runIf(hasProcessors)('a page that was sent gives its memory to the next one', async () => {
  const plan = { ...PLAN, publisherIds: [2], limit: 50 };
  const other = { ...plan, publisherIds: [3] };
  const expected = await ownPage(other);
  const first = await pageOf(plan);
  first?.release?.();
  const second = await pageOf(other);
  expect(contentOf(second)).toEqual(contentOf(expected));
  expect(first?.bytes).toHaveLength(0);
  const spares = tasks.mock.calls.map(([task]) => task.spare?.byteLength);
  expect(spares).toEqual([undefined, 0]);
});
