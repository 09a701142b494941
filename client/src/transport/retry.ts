/** Retries with exponential backoff, jitter and `Retry-After`. */

import { ApiProblem, ConnectionCut, UnexpectedResponse, Unreachable } from '../errors.ts';

export interface RetryPolicy {
  /** The most retries of a request. */
  readonly retries: number;
  /** The longest wait before a retry in seconds. A longer `Retry-After` throws at once. */
  readonly longestWait: number;
  /** Called before each wait. */
  readonly onRetry: (retry: Retry) => void;
}

export interface Retry {
  readonly error: Error;
  /** 1 before the second attempt. */
  readonly retry: number;
  /** Milliseconds until the retry. */
  readonly wait: number;
}

/** What one request changes in the policy. Both `onRetry` are called. */
export type RequestRetries = Partial<Pick<RetryPolicy, 'retries' | 'onRetry'>>;

/** For requests that a retry could carry out twice, such as the creation of a token. */
export const NO_RETRIES: RequestRetries = { retries: 0 };

/** Statuses after which the same request may succeed later. Proxies send some of them, too. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

/** Average milliseconds of the first wait. Each further wait is twice as long. */
const FIRST_WAIT = 250;
/** The most milliseconds that are added to `Retry-After`. */
const JITTER = 250;
/** The most milliseconds that a timer can wait. Longer timers would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wait = retry > policy.retries ? undefined : waitAfter(error, retry, policy);
      if (wait === undefined || !(error instanceof Error)) throw error;
      policy.onRetry({ error, retry, wait });
      await pause(wait, signal);
    }
  }
}

/** Milliseconds; undefined if a retry would not help. */
function waitAfter(error: unknown, retry: number, policy: RetryPolicy): number | undefined {
  // Jitter, so that many refused clients do not retry at the same time.
  const backoff = FIRST_WAIT * 2 ** (retry - 1) * (0.5 + Math.random());
  const most = policy.longestWait * 1000;
  if (error instanceof Unreachable || error instanceof ConnectionCut)
    return Math.min(backoff, most);
  if (!(error instanceof ApiProblem || error instanceof UnexpectedResponse)) return undefined;
  if (!RETRYABLE.includes(error.status)) return undefined;
  if (error.retryAfter === undefined) return Math.min(backoff, most);
  if (error.retryAfter > policy.longestWait) return undefined;
  return error.retryAfter * 1000 + Math.random() * JITTER;
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  for (let left = milliseconds; left > 0; left -= LONGEST_TIMER) {
    await timer(Math.min(left, LONGEST_TIMER), signal);
  }
}

async function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(started);
      reject(signal?.reason);
    };
    const started = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
