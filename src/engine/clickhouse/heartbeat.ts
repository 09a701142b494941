/** Pings the server during a request, and aborts the request when the server stops answering. */

import type { Host } from './hosts.ts';

/** Milliseconds between two pings. A response may take long, but a ping never does. */
const PING_INTERVAL = 1000;

/** Milliseconds within which the server must answer a ping. */
const PING_TIMEOUT = 4000;

export interface Heartbeat {
  /** Aborts with the given signal, or when the server does not answer a ping. */
  readonly signal: AbortSignal;
  stop(): void;
}

export function startHeartbeat({ client }: Host, signal: AbortSignal): Heartbeat {
  const silence = new AbortController();
  const ping = async () => {
    const { success } = await client.ping({
      select: false,
      abort_signal: AbortSignal.timeout(PING_TIMEOUT),
    });
    if (!success) silence.abort();
    else if (!isStopped) timer = setTimeout(ping, PING_INTERVAL);
  };
  let isStopped = false;
  let timer = setTimeout(ping, PING_INTERVAL);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { signal: AbortSignal.any([signal, silence.signal]), stop };
}
