/** The token of the sign-in that all tabs share. */

import { askOtherTabs, listenToOtherTabs } from '../access/other-tabs.ts';
import { forgetToken, storedToken, storeToken } from '../access/token-storage.ts';

/** Follows the sign-ins and sign-outs of other tabs. Calls `clear` after a sign-out. */
export function followSignIn(clear: () => void): void {
  listenToOtherTabs({
    onSignIn: (stored) => {
      if (storedToken() === undefined) storeToken(stored);
    },
    onSignOut: () => {
      forgetToken();
      clear();
    },
  });
}

/** Forgets a token that the service has refused. Returns the token of a newer sign-in in another tab, if any. */
export async function newerToken(refused: string): Promise<string | undefined> {
  forgetToken(refused);
  const token = await docsToken();
  return token === refused ? undefined : token;
}

/** Undefined if no tab is signed in. */
export async function docsToken(): Promise<string | undefined> {
  if (storedToken() === undefined) await askOtherTabs();
  return storedToken()?.token;
}
