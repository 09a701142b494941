/** Limits how many unknown tokens, or unknown sign-in codes, come from one address in a minute. */

import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../contract/problems/problems.ts';

/** Seconds in which attempts are counted. */
const WINDOW = 60;

/** The range of a refusal's delay in milliseconds. It is random, so that refusals are not all sent at once. */
const DELAYS = { least: 500, most: 1500 };

/** Delays a refusal, so that a client that waits for each response can send only few requests. */
export const delayRefusal = async (): Promise<void> =>
  await delay(DELAYS.least + Math.random() * (DELAYS.most - DELAYS.least), undefined, {
    ref: false,
  });

export class AttemptBudget {
  readonly limit: number;
  readonly #counter: RateLimiterMemory;
  readonly #beforeRefusal: () => Promise<void>;

  /** `limit` is the number of attempts of one address in a minute; 0 for no limit. */
  constructor(limit: number, beforeRefusal: () => Promise<void>) {
    this.limit = limit;
    this.#beforeRefusal = beforeRefusal;
    this.#counter = new RateLimiterMemory({ points: limit, duration: WINDOW });
  }

  /**
   * Runs a lookup, which counts as an attempt if it finds nothing. If the address has reached the limit,
   * throws the problem `too_many_invalid_tokens` without a lookup.
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
      // A lookup that found something or failed does not count.
      if (!isUnknown) await this.#counter.reward(network);
    }
  }
}

function tooMany(msBeforeNext: number): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem('too_many_invalid_tokens', { headers: { 'retry-after': String(seconds) } });
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one client usually has all of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = before === '' ? [] : before.split(':');
  const omitted = after === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...omitted].slice(0, 4).join(':');
}
