/** Limits how many unknown tokens, or unknown sign-in codes, come from one address in a minute. */

import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../../contract/problems/problems.ts';

/** Seconds. */
const WINDOW = 60;

/** Milliseconds between which a refusal is delayed, at random so that they do not come all at once. */
const DELAYS = { least: 500, most: 1500 };

/** Delays a refusal: a flood that waits for its responses then sends few requests, one after the other. */
export const delayRefusal = async (): Promise<void> =>
  await delay(DELAYS.least + Math.random() * (DELAYS.most - DELAYS.least), undefined, {
    ref: false,
  });

export class AttemptBudget {
  readonly limit: number;
  readonly #counter: RateLimiterMemory;
  readonly #beforeRefusal: () => Promise<void>;

  /** Attempts of one address in a minute; 0 for no limit. */
  constructor(limit: number, beforeRefusal: () => Promise<void>) {
    this.limit = limit;
    this.#beforeRefusal = beforeRefusal;
    this.#counter = new RateLimiterMemory({ points: limit, duration: WINDOW });
  }

  /**
   * Runs a lookup that counts if it finds nothing. Throws the problem `too_many_invalid_tokens`, before
   * it looks anything up, if the address has reached the limit.
   */
  async spend<Found>(
    address: string,
    lookUp: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    if (this.limit === 0) return await lookUp();
    const network = networkOf(address);
    // Counted before the lookup, so that requests sent at once cannot exceed the limit.
    const { consumedPoints, msBeforeNext } = await this.#counter.penalty(network);
    if (consumedPoints > this.limit) {
      await this.#beforeRefusal();
      throw tooMany(msBeforeNext);
    }
    let isUnknown = false;
    try {
      const found = await lookUp();
      isUnknown = found === undefined;
      return found;
    } finally {
      // What is found does not count, and neither does a lookup that the database did not answer.
      if (!isUnknown) await this.#counter.reward(network);
    }
  }
}

function tooMany(msBeforeNext: number): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem('too_many_invalid_tokens', { headers: { 'retry-after': String(seconds) } });
}

/** One client usually has a whole IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = before === '' ? [] : before.split(':');
  const omitted = after === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...omitted].slice(0, 4).join(':');
}
