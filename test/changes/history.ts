/** Random histories of transactions, each with publishers and programs of its own. */

import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';

/** The numbers of transactions, publishers and programs in each history. */
const TRANSACTIONS = 8;
const PUBLISHERS = 2;
const PROGRAMS = 3;

/** A version of a transaction: its `updated_at` may be before that of the stored version, or equal to it. */
const version = fc.record({
  id: fc.integer({ min: 1, max: TRANSACTIONS }),
  program: fc.nat(PROGRAMS - 1),
  minute: fc.integer({ min: 0, max: 9 }),
  status: fc.constantFrom('0', '1', '2'),
});

const versions = fc.uniqueArray(version, { selector: ({ id }) => id, maxLength: 5 });

/** A step erases at most one transaction: even steps empty its fields, and odd steps remove it. */
const step = fc.record({
  versions,
  erased: fc.option(fc.integer({ min: 1, max: TRANSACTIONS }), { freq: 3 }),
});

/** The random changes of a history. */
export const historyPlan = (steps: number) =>
  fc.array(step, { minLength: steps, maxLength: steps });

type HistoryPlan = ReturnType<typeof historyPlan> extends fc.Arbitrary<infer Plan> ? Plan : never;

export const modeOf = (step: number) => (step % 2 === 0 ? 'empty' : 'remove');

export class History {
  /** Added to every identifier of the history, so that two histories share none. */
  readonly first: number;
  readonly #plan: HistoryPlan;
  readonly #removed = new Set<number>();

  constructor(plan: HistoryPlan, number: number) {
    this.#plan = plan;
    this.first = 10 * number;
  }

  /** The rows of a step. Identifiers of removed transactions cannot be imported again. */
  rowsAt(step: number): readonly FileRow[] {
    const drawn = this.#plan[step]?.versions ?? [];
    return drawn
      .filter(({ id }) => !this.#removed.has(id))
      .map(({ id, program, minute, status }) =>
        fileRow({
          type: id % 3 === 0 ? 'leads' : 'sales',
          transaction_id: this.first + id,
          publisher_id: this.first + (id % PUBLISHERS),
          program_id: this.first + program,
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
    const erased = this.#plan[step]?.erased ?? null;
    if (erased === null) return [];
    if (modeOf(step) === 'remove') this.#removed.add(erased);
    return [this.first + erased];
  }
}
