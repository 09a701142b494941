/** Limits how many unknown tokens, or unknown sign-in codes, come from one address in a minute. */

import { isIPv6 } from 'node:net';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../../contract/problems/problems.ts';

/** Seconds. */
const WINDOW = 60;

export class AttemptBudget {
  readonly limit: number;
  readonly #counter: RateLimiterMemory;

  /** Attempts of one address in a minute; 0 for no limit. */
  constructor(limit: number) {
    this.limit = limit;
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
    if (consumedPoints > this.limit) throw tooMany(msBeforeNext);
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
