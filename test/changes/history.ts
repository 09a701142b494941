/** Random histories of transactions, each with publishers, programs and a reader of its own. */

import type { TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';
import { type CopyDifference, Follower } from './follower.ts';

/** Transactions, publishers and programs of a history. */
const TRANSACTIONS = 8;
const PUBLISHERS = 2;
const PROGRAMS = 3;

/** A version of a transaction: its update may be earlier than the stored one, or at the same time. */
const version = fc.record({
  id: fc.integer({ min: 1, max: TRANSACTIONS }),
  program: fc.nat(PROGRAMS - 1),
  minute: fc.integer({ min: 0, max: 9 }),
  status: fc.constantFrom('0', '1', '2'),
});

const versions = fc.uniqueArray(version, { selector: ({ id }) => id, maxLength: 5 });

/** Pages are read while the others' changes are imported; the end is read when nothing changes. */
const reading = fc.record({
  pages: fc.nat(2),
  toEnd: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
  limit: fc.integer({ min: 1, max: 5 }),
});

/** Steps erase one transaction at most: even ones empty it, and odd ones remove it. */
const step = fc.record({
  versions,
  erased: fc.option(fc.integer({ min: 1, max: TRANSACTIONS }), { freq: 3 }),
  reading,
});

/** What a reader may see: a website, two programs of all, or what it filters by. */
const sight = fc.constantFrom('website', 'programs', 'filters');

/** A random history: its changes, and when its reader begins, reads and compares. */
export const historyPlan = (steps: number) =>
  fc.record({
    sight,
    types: fc.constantFrom(['sales'], ['sales', 'leads']),
    beginsAt: fc.nat(2),
    steps: fc.array(step, { minLength: steps, maxLength: steps }),
  });

type HistoryPlan = ReturnType<typeof historyPlan> extends fc.Arbitrary<infer Plan> ? Plan : never;

export const modeOf = (step: number) => (step % 2 === 0 ? 'empty' : 'remove');

export class History {
  readonly #plan: HistoryPlan;
  readonly #first: number;
  readonly #removed = new Set<number>();
  #follower: Follower | undefined;

  /** Numbers of histories are those of their transactions, publishers and programs. */
  constructor(plan: HistoryPlan, number: number) {
    this.#plan = plan;
    this.#first = 10 * number;
  }

  /** The rows of a step. Identifiers of removed transactions cannot be imported again. */
  rowsAt(step: number): readonly FileRow[] {
    const drawn = this.#plan.steps[step]?.versions ?? [];
    return drawn
      .filter(({ id }) => !this.#removed.has(id))
      .map(({ id, program, minute, status }) =>
        fileRow({
          type: id % 3 === 0 ? 'leads' : 'sales',
          transaction_id: this.#first + id,
          publisher_id: this.#first + (id % PUBLISHERS),
          program_id: this.#first + program,
          status,
          clickid: `click ${id}`,
          validation_date: status === '1' ? '2026-03-20 12:00:00' : null,
          created_at: `2026-0${1 + (id % 2)}-10 12:00:00`,
          updated_at: `2026-04-01 10:0${minute}:00`,
        }),
      );
  }

  /** The transaction that a step erases. */
  erasedAt(step: number): readonly number[] {
    const erased = this.#plan.steps[step]?.erased ?? null;
    if (erased === null) return [];
    if (modeOf(step) === 'remove') this.#removed.add(erased);
    return [this.#first + erased];
  }

  /** Begins a copy if it is time, else reads some pages. */
  async read(step: number, service: TestService, admin: string): Promise<void> {
    if (this.#plan.beginsAt === step) this.#follower = await this.#begin(service, admin);
    const { pages = 0, limit = 1 } = this.#plan.steps[step]?.reading ?? {};
    for (let page = 0; page < pages; page += 1) await this.#follower?.readPage(limit);
  }

  /** Reads to the end if the step does, and compares. */
  async compare(step: number): Promise<CopyDifference | undefined> {
    const reading = this.#plan.steps[step]?.reading;
    const isEnd = reading?.toEnd === true || step === this.#plan.steps.length - 1;
    return isEnd ? await this.#follower?.compareAtEnd(reading?.limit ?? 1) : undefined;
  }

  async #begin(service: TestService, admin: string): Promise<Follower> {
    const first = this.#first;
    const { types } = this.#plan;
    switch (this.#plan.sight) {
      case 'website': {
        const token = await service.token({ role: 'affiliate', publisherIds: [first + 1] });
        return await Follower.begin(service, { role: 'affiliate', token, types });
      }
      case 'programs': {
        const token = await service.token({ role: 'admin', programIds: [first, first + 1] });
        return await Follower.begin(service, { role: 'admin', token, types });
      }
      default: {
        const filter = `&publisher_id=${first},${first + 1}&program_id=${first},${first + 2}`;
        return await Follower.begin(service, { role: 'admin', token: admin, types, filter });
      }
    }
  }
}
