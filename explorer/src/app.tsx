/** Root component: sign-in page, or the explorer after sign-in. */

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SignInPage, SignInPausedPage } from './access/sign-in-page.tsx';
import { forgetToken, storedToken, storeToken } from './access/token-storage.ts';
import { Explorer } from './explorer.tsx';
import { LocalizationProvider } from './layout/localization-context.tsx';
import { usePreference } from './layout/preferences.ts';
import { endsAccess } from './service/error-messages.ts';
import { useRetryWhenOnline } from './service/retry-requests.ts';
import { type Service, signIn } from './service/service.ts';
import { isLanguage } from './texts/languages.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';

type SignInState =
  /** The stored token is being checked. */
  | { readonly status: 'restoring' }
  /** The stored token could not be checked, for example without a network. */
  | { readonly status: 'paused'; readonly error: unknown }
  | { readonly status: 'signed-in'; readonly service: Service; readonly isNewSignIn: boolean }
  /** With the error that ended the access; none if the user signed out. */
  | { readonly status: 'signed-out'; readonly error?: unknown };

export function App() {
  const [state, setState] = useState<SignInState>({
    status: storedToken() === undefined ? 'signed-out' : 'restoring',
  });
  const language = useRequestLanguage();
  const abortPrevious = useAbortPrevious();
  const signInWith = useCallback(
    async (token: string, isNewSignIn: boolean, signal: AbortSignal) => {
      const service = await signIn(token, language, signal);
      signal.throwIfAborted();
      storeToken(token);
      setState({ status: 'signed-in', service, isNewSignIn });
    },
    [language],
  );
  const signOut = useCallback(
    (error?: unknown) => {
      abortPrevious();
      forgetToken();
      setState({ status: 'signed-out', error });
    },
    [abortPrevious],
  );
  const restore = useCallback(async () => {
    const token = storedToken();
    if (token === undefined) return signOut();
    const signal = abortPrevious();
    await signInWith(token, false, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      if (endsAccess(error)) signOut(error);
      else setState({ status: 'paused', error });
    });
  }, [abortPrevious, signInWith, signOut]);
  useOnce(() => {
    if (state.status === 'restoring') void restore();
  });
  useRetryWhenOnline(state.status === 'paused', restore);
  useReloadFromBackCache();
  return (
    <LocalizationProvider
      locale={state.status === 'signed-in' ? state.service.me.locale : undefined}
    >
      <ErrorBoundary signOut={signOut}>
        {state.status === 'restoring' && <div className="sign-in-page" aria-busy="true" />}
        {state.status === 'paused' && (
          <SignInPausedPage error={state.error} retry={restore} signOut={signOut} />
        )}
        {state.status === 'signed-out' && (
          <SignInPage
            error={state.error}
            signIn={async (token) => await signInWith(token, true, abortPrevious())}
          />
        )}
        {state.status === 'signed-in' && (
          <Explorer service={state.service} isNewSignIn={state.isNewSignIn} signOut={signOut} />
        )}
      </ErrorBoundary>
    </LocalizationProvider>
  );
}

/** The language of requests. The service prefers the language of the token. */
function useRequestLanguage(): () => string {
  const [chosen] = usePreference('language');
  const language = isLanguage(chosen) ? chosen : navigator.language;
  const latest = useRef(language);
  useLayoutEffect(() => {
    latest.current = language;
  });
  return useCallback(() => latest.current, []);
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
function useOnce(effect: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    effect();
  });
}

/** Reloads a page from the back/forward cache, which could be from before a sign-out. */
function useReloadFromBackCache(): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}
