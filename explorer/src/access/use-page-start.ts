/** Begins the sign-in of a page: by a link, the provider, the stored token, or the token of another tab. */

import { useEffect, useRef, useState } from 'react';
import { endsAccess } from '../service/error-messages.ts';
import { askOtherTabs, tellSignIn } from './other-tabs.ts';
import type { PageStart } from './page-start.ts';
import { ProviderFailure } from './provider/provider-failure.ts';
import { forgetSession, signInByProvider } from './provider/provider-session.ts';
import { exchangeCode, takeCode } from './sign-in-link.ts';
import { storedToken, storeToken } from './token-storage.ts';

/** How the user signed in: by a typed token, a link, the provider, or a token that the browser already had. */
export type SignInMethod = 'token' | 'link' | 'provider' | 'restored';

interface SignInSteps {
  readonly isSignedIn: boolean;
  /** Signs in by the stored token. */
  restore(way?: SignInMethod): Promise<void>;
  leave(error?: unknown): void;
  pause(error: unknown): void;
}

/** A sign-in link that was opened and is not used yet. */
export interface OpenLink {
  /** Replaces the sign-in of this tab. Throws the client's errors. */
  use(): Promise<void>;
  decline(): void;
}

interface StartedPage {
  /** A sign-in link that waits for the user's answer or for the network. Undefined if no link waits. */
  readonly link: OpenLink | undefined;
  open(): Promise<void>;
}

export function usePageStart(
  start: PageStart,
  { isSignedIn, restore, leave, pause }: SignInSteps,
): StartedPage {
  const [code, setCode] = useState(start.code);
  /** Finds an existing sign-in: someone who opens a used link may be signed in already. */
  const findSignIn = async (error?: unknown) => {
    if (storedToken() !== undefined) return await restore();
    await askOtherTabs();
    // If another tab has answered with a token, that token is being checked.
    if (storedToken() === undefined) leave(error);
  };
  const use = async (given: string) => {
    const token = await exchangeCode(given);
    setCode(undefined);
    // A session would send and renew the provider's token instead of the link's.
    forgetSession();
    // Stored before it is checked, because the link cannot be used again.
    storeToken({ token, isKept: false });
    await restore('link');
    tellSignIn();
  };
  const open = async (given = code) => {
    if (given === undefined) return await findSignIn();
    setCode(given);
    // The page asks the user first. Otherwise another person's link could replace the sign-in unnoticed (login CSRF).
    if (isSignedIn) return;
    if (storedToken() === undefined) await askOtherTabs();
    if (storedToken() !== undefined) await restore();
    // `restore` has removed the stored token if the service refused it.
    if (storedToken() !== undefined) return;
    try {
      await use(given);
    } catch (error) {
      if (!endsAccess(error)) return pause(error);
      setCode(undefined);
      await findSignIn(error);
    }
  };
  const begin = async () => {
    if (start.response === undefined) return await open();
    if (start.response === 'unasked') return await findSignIn(new ProviderFailure('interrupted'));
    try {
      await signInByProvider(start.response);
    } catch (error) {
      return await findSignIn(error);
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
    // A link that is pasted into the address bar changes only the fragment, so the page does not load again.
    const onHash = () => {
      const taken = takeCode();
      if (taken !== undefined) void latest.current(taken);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  if (code === undefined) return { link: undefined, open };
  return { link: { use: async () => await use(code), decline: () => setCode(undefined) }, open };
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
