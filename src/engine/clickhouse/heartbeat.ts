/** Pings the server during a request, and aborts the request when the server stops answering. */

import { EngineFailure } from '../engine.ts';
import { answersPing, type Host } from './hosts.ts';

/** Milliseconds between two pings. A response may take long, but a ping never does. */
const PING_INTERVAL = 800;

/** Pings in a row without an answer after which a server counts as silent. One alone may be lost. */
const SILENT_PINGS = 2;

/** Pings in a row without an answer after which the request is aborted. */
const MAX_PINGS = 4;

const SECONDS = ((MAX_PINGS + 1) * PING_INTERVAL) / 1000;

export interface Heartbeat {
  /** Aborts with the given signal, or with `failure`. */
  readonly signal: AbortSignal;
  /** Whether at least two pings in a row have no answer. */
  readonly isSilent: boolean;
  /** Why the request was aborted, if the server did not answer. */
  readonly failure: EngineFailure | undefined;
  stop(): void;
}

/** Calls `onSilent` seconds before it aborts the request, so that other requests avoid the server. */
export function startHeartbeat(host: Host, signal: AbortSignal, onSilent: () => void): Heartbeat {
  const silence = new AbortController();
  let failure: EngineFailure | undefined;
  let unanswered = 0;
  const beat = async () => {
    if (unanswered === MAX_PINGS) {
      clearInterval(timer);
      failure = new EngineFailure(`${host.url} did not answer for ${SECONDS} seconds.`);
      silence.abort(failure);
      return;
    }
    unanswered += 1;
    if (unanswered === SILENT_PINGS) onSilent();
    if (await answersPing(host)) unanswered = 0;
  };
  const timer = setInterval(beat, PING_INTERVAL);
  return {
    signal: AbortSignal.any([signal, silence.signal]),
    get isSilent() {
      return unanswered >= SILENT_PINGS;
    },
    get failure() {
      return failure;
    },
    stop: () => clearInterval(timer),
  };
}
