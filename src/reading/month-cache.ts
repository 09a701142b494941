/**
 * Keeps months of single websites that are asked for again and again, as finished bytes.
 *
 * To plan a statement costs the engine milliseconds, however little it reads. A dashboard asks for
 * today, this week and this month of one website all day long: from the second question on, the
 * months that it is about are kept, and any period in them is cut out without the engine.
 *
 * What is kept is never older than what is stored: only an engine that knows of every change says
 * which state it is in, and another state empties the memory.
 */

import type { Reader } from '../engine/engine.ts';
import { NEVER_ABORTED } from '../engine/never-aborted.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import { framedStatement, isFramed } from '../plan/report-statement.ts';
import { monthsAfter } from '../plan/slices.ts';
import { type CachedMonth, readMonth } from './cached-month.ts';

/** Bytes of all that is kept. */
const CAPACITY = 64 * 1024 * 1024;

/** The most rows that a month is kept with: reading more costs more than planning. */
const MOST_ROWS = 2000;

/** The most months that an answer is put together from. */
const MOST_MONTHS = 3;

/** The most months of which it is remembered that they were asked for. */
const MOST_ASKED = 100_000;

interface Month {
  readonly key: string;
  readonly from: number;
  readonly until: number;
}

export class MonthCache {
  readonly #reader: Reader;
  /** In the order of their last use. */
  readonly #kept = new Map<string, CachedMonth>();
  readonly #asked = new Set<string>();
  #state: number | undefined;
  #bytes = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The records of a plan, each with its lead; undefined where the engine is to be asked. */
  async recordsOf(plan: ReportPlan): Promise<Uint8Array | undefined> {
    const state = this.#reader.state;
    if (state === undefined || !isKeepable(plan)) return undefined;
    if (state !== this.#state) this.#forget(state);
    const months = monthsOf(plan);
    if (months.length > MOST_MONTHS || !this.#wereAsked(months)) return undefined;
    const kept: CachedMonth[] = [];
    for (const month of months) {
      const found = this.#found(month) ?? (await this.#read(plan, month, state));
      if (found.isLarge || this.#reader.state !== state) return undefined;
      kept.push(found);
    }
    return Buffer.concat(kept.map((month) => month.between(plan.from, plan.until)));
  }

  /** Whether all of the months were asked for before; from now on they were. */
  #wereAsked(months: readonly Month[]): boolean {
    const isKnown = months.every(({ key }) => this.#asked.has(key));
    if (this.#asked.size > MOST_ASKED) this.#asked.clear();
    for (const { key } of months) this.#asked.add(key);
    return isKnown;
  }

  #found({ key }: Month): CachedMonth | undefined {
    const month = this.#kept.get(key);
    if (month === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, month);
    return month;
  }

  async #read(plan: ReportPlan, { key, from, until }: Month, state: number): Promise<CachedMonth> {
    const statement = framedStatement({ ...plan, from, until, limit: MOST_ROWS });
    const month = await readMonth(this.#reader.read(statement, NEVER_ABORTED), MOST_ROWS);
    if (this.#state === state && this.#reader.state === state) this.#keep(key, month);
    return month;
  }

  #keep(key: string, month: CachedMonth): void {
    this.#bytes += month.size - (this.#kept.get(key)?.size ?? 0);
    this.#kept.set(key, month);
    for (const [oldest, { size }] of this.#kept) {
      if (this.#bytes <= CAPACITY) return;
      this.#kept.delete(oldest);
      this.#bytes -= size;
    }
  }

  #forget(state: number): void {
    this.#kept.clear();
    this.#bytes = 0;
    this.#state = state;
  }
}

const isKeepable = (plan: ReportPlan): boolean =>
  plan.role === 'affiliate' &&
  plan.publisherIds !== 'all' &&
  plan.publisherIds.length === 1 &&
  plan.programIds === 'all' &&
  plan.filters.length === 0 &&
  plan.form === 'json' &&
  plan.order === 'asc' &&
  plan.after === undefined &&
  !isFramed(plan);

/** The months that a plan touches, whole. */
function monthsOf(plan: ReportPlan): readonly Month[] {
  const months: Month[] = [];
  for (let from = monthsAfter(plan.from, 0); from < plan.until; from = monthsAfter(from, 1)) {
    const key = `${plan.kind} ${plan.publisherIds} ${plan.locale} ${from}`;
    months.push({ key, from, until: monthsAfter(from, 1) });
    if (months.length > MOST_MONTHS) break;
  }
  return months;
}
