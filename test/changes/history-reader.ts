/** A random reader of the change feed, which copies transactions and now and then compares its copy with lists. */

import type { TestService } from '../support/requests/service.ts';
import { fc } from '../support/run/properties.ts';
import { type CopyDifference, Follower } from './follower.ts';
import type { History } from './history.ts';

/**
 * What a reader does in a step: it reads `pages` pages while changes are imported. With `toEnd`, it then reads the
 * feed to its end, while nothing changes.
 */
const reading = fc.record({
  pages: fc.nat(2),
  toEnd: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
  limit: fc.integer({ min: 1, max: 5 }),
});

/** What a reader sees: the websites of an affiliate, programs of an administrator, or what filters select. */
const sight = fc.constantFrom('websites', 'programs', 'filters');

export const readerPlan = (steps: number) =>
  fc.record({
    sight,
    types: fc.constantFrom(['sales'], ['sales', 'leads']),
    beginsAt: fc.nat(2),
    steps: fc.array(reading, { minLength: steps, maxLength: steps }),
  });

export type ReaderPlan =
  ReturnType<typeof readerPlan> extends fc.Arbitrary<infer Plan> ? Plan : never;

export class HistoryReader {
  readonly #plan: ReaderPlan;
  readonly #histories: readonly History[];
  #follower: Follower | undefined;

  constructor(plan: ReaderPlan, histories: readonly History[]) {
    this.#plan = plan;
    this.#histories = histories;
  }

  /** Begins a copy if the plan says so for the step. Then reads some pages if there is a copy. */
  async read(step: number, service: TestService, admin: string): Promise<void> {
    if (this.#plan.beginsAt === step) this.#follower = await this.#begin(service, admin);
    const { pages = 0, limit = 1 } = this.#plan.steps[step] ?? {};
    for (let page = 0; page < pages; page += 1) await this.#follower?.readPage(limit);
  }

  /** Reads to the end and compares, if the plan says so for the step. Pages grow with the number of histories. */
  async compare(step: number): Promise<CopyDifference | undefined> {
    const { toEnd, limit = 1 } = this.#plan.steps[step] ?? {};
    const isEnd = toEnd === true || step === this.#plan.steps.length - 1;
    return isEnd ? await this.#follower?.compareAtEnd(limit * this.#histories.length) : undefined;
  }

  async #begin(service: TestService, admin: string): Promise<Follower> {
    const { types } = this.#plan;
    switch (this.#plan.sight) {
      case 'websites': {
        const token = await service.token({ role: 'affiliate', publisherIds: this.#numbers(1) });
        return await Follower.begin(service, { role: 'affiliate', token, types });
      }
      case 'programs': {
        const token = await service.token({ role: 'admin', programIds: this.#numbers(0, 1) });
        return await Follower.begin(service, { role: 'admin', token, types });
      }
      default: {
        const filter = `&publisher_id=${this.#numbers(0, 1)}&program_id=${this.#numbers(0, 2)}`;
        return await Follower.begin(service, { role: 'admin', token: admin, types, filter });
      }
    }
  }

  /** Some publishers or programs of each history. */
  #numbers(...offsets: readonly number[]): readonly number[] {
    return this.#histories.flatMap(({ first }) => offsets.map((offset) => first + offset));
  }
}
