/** Begins the sign-in of a page: by the link that opened it, through the provider, by the stored token, or by that of another tab. */

import { useEffect, useRef } from 'react';
import { endsAccess } from '../service/error-messages.ts';
import { askOtherTabs, tellSignIn } from './other-tabs.ts';
import { ProviderFailure } from './provider/provider-failure.ts';
import { signInByProvider } from './provider/provider-session.ts';
import { exchangeCode, type PageStart, takeCode } from './sign-in-link.ts';
import { storedToken, storeToken } from './token-storage.ts';

/** By a token that was typed, by a link, through the provider, or by a token that was stored before. */
export type SignInWay = 'token' | 'link' | 'provider' | 'restored';

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

export function useLink(start: PageStart, { restore, leave, pause }: LinkSteps): Link {
  const code = useRef(start.code);
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
  const begin = async () => {
    if (start.response === undefined) return await open();
    if (start.response === 'unasked') return await findSignIn(new ProviderFailure('interrupted'));
    try {
      await signInByProvider(start.response);
    } catch (error) {
      return leave(error);
    }
    await restore('provider');
    tellSignIn();
  };
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useOnce(begin);
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
