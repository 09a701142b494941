/** State of the sign-in: restores a stored token, and follows the other tabs of the browser. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { endsAccess } from '../service/error-messages.ts';
import { signIn as connect, type Service } from '../service/service.ts';
import { forgetTemporaryViews } from '../views/use-saved-views.ts';
import { askOtherTabs, listenToOtherTabs, tellSignIn, tellSignOut } from './other-tabs.ts';
import { forgetToken, type StoredToken, storedToken, storeToken } from './token-storage.ts';

export type SignInState =
  /** The stored token is being checked, or another tab is asked for its token. */
  | { readonly status: 'restoring' }
  /** The stored token could not be checked, for example without a network. */
  | { readonly status: 'paused'; readonly error: unknown }
  | { readonly status: 'signed-in'; readonly service: Service; readonly isNewSignIn: boolean }
  /** With the error that ended the access; none if the user signed out. */
  | { readonly status: 'signed-out'; readonly error?: unknown };

interface SignIn {
  readonly state: SignInState;
  signIn(stored: StoredToken): Promise<void>;
  /** Checks the stored token again. */
  restore(): Promise<void>;
  signOut(error?: unknown): void;
}

export function useSignIn(language: () => string): SignIn {
  const [state, setState] = useState<SignInState>({ status: 'restoring' });
  const abortPrevious = useAbortPrevious();
  const enter = useCallback(
    async (stored: StoredToken, isNewSignIn: boolean, signal: AbortSignal) => {
      const service = await connect(stored.token, language, signal);
      signal.throwIfAborted();
      storeToken(stored);
      setState({ status: 'signed-in', service, isNewSignIn });
    },
    [language],
  );
  const leave = useCallback(
    (error?: unknown) => {
      abortPrevious();
      forgetToken();
      forgetTemporaryViews();
      setState({ status: 'signed-out', error });
    },
    [abortPrevious],
  );
  const restore = useCallback(async () => {
    const stored = storedToken();
    if (stored === undefined) return leave();
    const signal = abortPrevious();
    await enter(stored, false, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      if (endsAccess(error)) leave(error);
      else setState({ status: 'paused', error });
    });
  }, [abortPrevious, enter, leave]);
  useOtherTabs(state, restore, leave);
  return {
    state,
    restore,
    signIn: async (stored) => {
      await enter(stored, true, abortPrevious());
      tellSignIn();
    },
    signOut: useCallback(
      (error?: unknown) => {
        leave(error);
        // An access that ended ends in the other tabs too, where they can tell the reason.
        if (error === undefined) tellSignOut();
      },
      [leave],
    ),
  };
}

/** Takes part in the sign-ins and sign-outs of other tabs. */
function useOtherTabs(state: SignInState, restore: () => Promise<void>, leave: () => void): void {
  const isOutside = useRef(true);
  useEffect(() => {
    isOutside.current = state.status === 'signed-out' || state.status === 'restoring';
  });
  useEffect(
    () =>
      listenToOtherTabs({
        onSignOut: () => leave(),
        onSignIn: (stored) => {
          if (!isOutside.current || storedToken() !== undefined) return;
          storeToken(stored);
          void restore();
        },
      }),
    [leave, restore],
  );
  useOnce(async () => {
    if (storedToken() !== undefined) return await restore();
    await askOtherTabs();
    // Otherwise the answer of another tab is being checked.
    if (storedToken() === undefined) leave();
  });
}

/** Aborts the previous sign-in, so that a late response cannot undo a sign-out. */
function useAbortPrevious(): () => AbortSignal {
  const latest = useRef<AbortController>(undefined);
  return useCallback(() => {
    latest.current?.abort();
    latest.current = new AbortController();
    return latest.current.signal;
  }, []);
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
