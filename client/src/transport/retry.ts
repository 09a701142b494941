/** Asks again what may succeed then, after as long as the service says. */

import { ApiProblem, ConnectionCut, UnexpectedAnswer, Unreachable } from '../errors.ts';

export interface RetryPolicy {
  /** How often a question is asked again. */
  readonly retries: number;
  /** Seconds; where the service says to wait longer, its refusal is thrown at once. */
  readonly longestWait: number;
  /** Told before each wait. */
  readonly onRetry: (retry: Retry) => void;
}

export interface Retry {
  readonly error: Error;
  /** 1 before the second attempt. */
  readonly retry: number;
  /** Milliseconds until then. */
  readonly wait: number;
}

/** Of the service and of proxies before it: not now. */
const NOT_NOW: readonly number[] = [429, 502, 503, 504];

/** Milliseconds. */
const FIRST_WAIT = 250;
const JITTER = 250;

export async function retrying<Answer>(
  attempt: () => Promise<Answer>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Answer> {
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

/** Milliseconds; undefined where asking again would not help. */
function waitAfter(error: unknown, retry: number, policy: RetryPolicy): number | undefined {
  // Spread, so that many clients that were refused at once do not come back at once.
  const grown = FIRST_WAIT * 2 ** (retry - 1) * (0.5 + Math.random());
  const most = policy.longestWait * 1000;
  if (error instanceof Unreachable || error instanceof ConnectionCut) return Math.min(grown, most);
  if (!(error instanceof ApiProblem || error instanceof UnexpectedAnswer)) return undefined;
  if (!NOT_NOW.includes(error.status)) return undefined;
  if (error.retryAfter === undefined) return Math.min(grown, most);
  if (error.retryAfter > policy.longestWait) return undefined;
  return error.retryAfter * 1000 + Math.random() * JITTER;
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
