/** One id for a request in its answer, in the log and in errors. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mayHoldToken } from '../../auth/access-token.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

const ACCEPTED = /^[\w.-]{1,64}$/;

/** The caller's own id where it is a plain one, and no token by mistake, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  const isPlain = typeof given === 'string' && ACCEPTED.test(given) && !mayHoldToken(given);
  return isPlain ? given : randomUUID();
}
