/** Request id, which is the same in the response, in the log and in problems. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { couldContainToken } from '../../auth/access-token.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

const ACCEPTED = /^[\w.-]{1,64}$/;

/** The client's own id if it is plain and holds no token or sign-in code, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  const isPlain = typeof given === 'string' && ACCEPTED.test(given) && !couldContainToken(given);
  return isPlain ? given : randomUUID();
}
