/**
 * Ends the waiting for a server that is frozen, or gone without a word.
 *
 * An answer may take its time, but a server that lives says so at any moment.
 */

import type { Host } from './hosts.ts';

/** Milliseconds between two questions whether it is there. */
const NEXT_PING = 1000;

/** Milliseconds that it has to say so. */
const PING_LIMIT = 4000;

export interface Heartbeat {
  /** Aborts with the one that was given, or when the server is silent. */
  readonly signal: AbortSignal;
  letGo(): void;
}

export function lifeline({ client }: Host, signal: AbortSignal): Heartbeat {
  const silence = new AbortController();
  const ping = async () => {
    const { success } = await client.ping({
      select: false,
      abort_signal: AbortSignal.timeout(PING_LIMIT),
    });
    if (!success) silence.abort();
    else if (!isLetGo) timer = setTimeout(ping, NEXT_PING);
  };
  let isLetGo = false;
  let timer = setTimeout(ping, NEXT_PING);
  const letGo = () => {
    isLetGo = true;
    clearTimeout(timer);
  };
  return { signal: AbortSignal.any([signal, silence.signal]), letGo };
}
