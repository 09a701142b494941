/** Signs in by the code of a sign-in link, which a client sends in the header `Authorization`. */

import { Problem } from '../../contract/problems/problems.ts';
import { isSignInCode } from '../access-token.ts';
import type { AttemptBudget } from '../attempt-budget.ts';
import type { CreatedToken, ExchangeCode } from '../new-token.ts';

/** `address` is the IP address of the client. */
export type SignInByCode = (
  authorization: string | undefined,
  address: string,
) => Promise<CreatedToken>;

const BEARER = /^Bearer +(\w+) *$/i;

/**
 * Exchanges the code of a link for its token. Throws the problem `sign_in_link_invalid` if the code is
 * unknown, used, revoked or expired. `budget` must be only for codes: otherwise a flood of unknown tokens
 * could block sign-in links.
 */
export const signInByCode =
  (exchange: ExchangeCode, budget: AttemptBudget): SignInByCode =>
  async (authorization, address) => {
    const code = BEARER.exec(authorization ?? '')?.[1] ?? '';
    const created = await budget.spend(address, async () =>
      isSignInCode(code) ? await exchange(code) : undefined,
    );
    if (created === undefined) throw new Problem('sign_in_link_invalid');
    return created;
  };
