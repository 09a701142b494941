/** Begins the sign-in of a page: by the link that opened it, by the stored token, or by that of another tab. */

import { useEffect, useRef } from 'react';
import { endsAccess } from '../service/error-messages.ts';
import { askOtherTabs, tellSignIn } from './other-tabs.ts';
import { exchangeCode, takeCode } from './sign-in-link.ts';
import { storedToken, storeToken } from './token-storage.ts';

/** By a token that was typed, by a link, or by a token that was stored before. */
export type SignInWay = 'token' | 'link' | 'restored';

interface LinkSteps {
  /** Signs in by the stored token. */
  restore(way?: SignInWay): Promise<void>;
  leave(error?: unknown): void;
  pause(error: unknown): void;
}

interface Link {
  /** Whether the page has a code that it could not exchange yet, for example without a network. */
  isOpen(): boolean;
  open(): Promise<void>;
}

export function useLink(firstCode: string | undefined, { restore, leave, pause }: LinkSteps): Link {
  const code = useRef(firstCode);
  /** Someone who opens a used link may be signed in already. */
  const findSignIn = async (error?: unknown) => {
    if (storedToken() !== undefined) return await restore();
    await askOtherTabs();
    // Otherwise the answer of another tab is being checked.
    if (storedToken() === undefined) leave(error);
  };
  const open = async () => {
    if (code.current === undefined) return await findSignIn();
    try {
      const token = await exchangeCode(code.current);
      code.current = undefined;
      // At once, because the link cannot be used again.
      storeToken({ token, isKept: storedToken()?.isKept ?? false });
    } catch (error) {
      if (!endsAccess(error)) return pause(error);
      code.current = undefined;
      return await findSignIn(error);
    }
    await restore('link');
    tellSignIn();
  };
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useOnce(async () => await latest.current());
  useEffect(() => {
    // A link that is pasted where the page is open already.
    const onHash = () => {
      code.current = takeCode() ?? code.current;
      if (code.current !== undefined) void latest.current();
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  return { isOpen: () => code.current !== undefined, open };
}

/** Runs an effect once, also in React's strict mode. */
function useOnce(effect: () => Promise<void>): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    void effect();
  });
}
