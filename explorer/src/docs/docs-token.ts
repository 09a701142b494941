/** The token of the sign-in that all tabs share. */

import { askOtherTabs, listenToOtherTabs } from '../access/other-tabs.ts';
import { forgetToken, storedToken, storeToken } from '../access/token-storage.ts';

/** Follows the sign-ins and sign-outs of other tabs. */
export function followSignIn(): void {
  listenToOtherTabs({
    onSignIn: (stored) => {
      if (storedToken() === undefined) storeToken(stored);
    },
    onSignOut: () => {
      forgetToken();
      for (const answer of document.querySelectorAll('.answer')) answer.replaceChildren();
    },
  });
}

/** Undefined if no tab is signed in. */
export async function docsToken(): Promise<string | undefined> {
  if (storedToken() === undefined) await askOtherTabs();
  return storedToken()?.token;
}
