/** Refuses JSON Web Tokens of subjects that the operator has blocked, although the provider still signs them. */

import { Problem } from '../contract/problems/problems.ts';
import type { VerifyJwt } from './authenticate.ts';

/** Milliseconds until the list is read again. A blocked subject is refused within this time plus one lookup. */
const TTL = 2000;

/** Adds the refusal to `verify`. Reads the list of subjects every two seconds at most, except after a failed read. */
export function refuseBlocked(
  verify: VerifyJwt,
  findBlocked: () => Promise<readonly { readonly subject: string }[]>,
): VerifyJwt {
  let readAt = Number.NEGATIVE_INFINITY;
  let list: ReturnType<typeof findBlocked> | undefined;
  const blocked = async () => {
    const now = performance.now();
    if (list === undefined || now - readAt > TTL) {
      readAt = now;
      list = findBlocked().catch((error: unknown) => {
        list = undefined;
        throw error;
      });
    }
    return await list;
  };
  return async (jwt) => {
    const principal = await verify(jwt);
    if ((await blocked()).some(({ subject }) => subject === principal.id))
      throw new Problem('token_revoked');
    return principal;
  };
}
