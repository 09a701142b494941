/** State of the sign-in (by a token, a link or the provider, or restored), kept in step with other browser tabs. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { endsAccess } from '../service/error-messages.ts';
import { openService as connect, type Service } from '../service/service.ts';
import { forgetTemporaryViews } from '../views/use-saved-views.ts';
import { listenToOtherTabs, tellSignIn, tellSignOut } from './other-tabs.ts';
import type { PageStart } from './page-start.ts';
import { toProviderFailure } from './provider/provider-failure.ts';
import {
  forgetSession,
  hasSession,
  providerSignOut,
  sessionToken,
} from './provider/provider-session.ts';
import { forgetToken, type StoredToken, storedToken, storeToken } from './token-storage.ts';
import { type OpenLink, type SignInMethod, usePageStart } from './use-page-start.ts';

export type SignInState =
  /** A token, a link or the provider's response is being checked, or another tab is asked for its token. */
  | { readonly status: 'restoring' }
  /** The stored token or the link could not be checked, for example without a network. */
  | { readonly status: 'paused'; readonly error: unknown; readonly way?: SignInMethod }
  | {
      readonly status: 'signed-in';
      readonly service: Service;
      readonly way: SignInMethod;
      /** Counts the sign-ins of this tab. A new number discards everything that the page showed before. */
      readonly entry: number;
      /** Ends this sign-in because a request was refused. Does nothing once another sign-in has begun. */
      endAccess(error: unknown): void;
    }
  /** `error` ended or prevented the sign-in. Undefined if the user signed out or has not signed in. */
  | { readonly status: 'signed-out'; readonly error?: unknown };

interface SignIn {
  readonly state: SignInState;
  /** A link that was opened and is not used yet. */
  readonly link: OpenLink | undefined;
  signIn(stored: StoredToken): Promise<void>;
  /** Checks the stored token or the link again. */
  retry(): Promise<void>;
  signOut(): void;
}

export function useSignIn(language: () => string, start: PageStart): SignIn {
  const [state, setState] = useState<SignInState>({ status: 'restoring' });
  const entries = useRef(0);
  const abortPrevious = useAbortPrevious();
  const leave = useCallback(
    (error?: unknown, refused?: string) => {
      abortPrevious();
      forgetSession();
      forgetToken(refused);
      // After an error, other tabs may still be signed in and need the views. The next sign-in discards them.
      if (error === undefined) forgetTemporaryViews();
      setState({ status: 'signed-out', error });
    },
    [abortPrevious],
  );
  const enter = useCallback(
    async (stored: StoredToken, way: SignInMethod, signal: AbortSignal) => {
      entries.current += 1;
      const entry = entries.current;
      const service = await connect(
        async () => (await sessionToken()) ?? stored.token,
        language,
        signal,
      );
      signal.throwIfAborted();
      if (!hasSession()) storeToken(stored);
      // Closing the last tab does not sign out, so temporary views of the earlier sign-in may be left over.
      if (way !== 'restored') forgetTemporaryViews();
      // The explorer that is being replaced may still send requests with its former token.
      const endAccess = (error: unknown) => {
        if (entry === entries.current) leave(error, stored.token);
      };
      setState({ status: 'signed-in', service, way, entry, endAccess });
    },
    [language, leave],
  );
  const restore = useCallback(
    async (way: SignInMethod = 'restored') => {
      const stored = storedToken();
      if (stored === undefined) return leave();
      const signal = abortPrevious();
      await enter(stored, way, signal).catch((error: unknown) => {
        if (signal.aborted) return;
        const reason = way === 'provider' ? toProviderFailure(error) : error;
        if (endsAccess(error)) leave(reason, stored.token);
        else setState({ status: 'paused', error, way });
      });
    },
    [abortPrevious, enter, leave],
  );
  useOtherTabs(state, restore, leave);
  const { link, open } = usePageStart(start, {
    isSignedIn: state.status === 'signed-in',
    restore,
    leave,
    pause: (error) => setState({ status: 'paused', error }),
  });
  return {
    state,
    link,
    retry: async () =>
      await (link === undefined
        ? restore(state.status === 'paused' ? state.way : undefined)
        : open()),
    signIn: async (stored) => {
      forgetSession();
      await enter(stored, 'token', abortPrevious());
      tellSignIn();
    },
    signOut: useCallback(() => {
      const endSession = providerSignOut();
      leave();
      void endSession?.();
      tellSignOut();
    }, [leave]),
  };
}

/** Follows the sign-ins and sign-outs of other tabs. */
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
