/** Root component: sign-in page, or the explorer after sign-in. */

import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { LinkQuestion } from './access/link-question.tsx';
import type { PageStart } from './access/page-start.ts';
import { SignInPage, SignInPausedPage } from './access/sign-in-page.tsx';
import { useSignIn } from './access/use-sign-in.ts';
import { Explorer } from './explorer.tsx';
import { LocalizationProvider } from './layout/localization-context.tsx';
import { usePreference } from './layout/preferences.ts';
import { useRetryWhenOnline } from './service/retry-requests.ts';
import { isLanguage } from './texts/languages.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';

export function App({ start }: { readonly start: PageStart }) {
  const language = useRequestLanguage();
  const { state, link, signIn, signOut, retry } = useSignIn(language, start);
  useRetryWhenOnline(state.status === 'paused', retry);
  useReloadFromBackCache();
  return (
    <LocalizationProvider
      locale={state.status === 'signed-in' ? state.service.me.locale : undefined}
    >
      <ErrorBoundary signOut={signOut}>
        {state.status === 'restoring' && <div className="sign-in-page" aria-busy="true" />}
        {state.status === 'paused' && (
          <SignInPausedPage error={state.error} retry={retry} signOut={signOut} />
        )}
        {state.status === 'signed-out' && <SignInPage error={state.error} signIn={signIn} />}
        {state.status === 'signed-in' && (
          <Explorer
            key={state.entry}
            service={state.service}
            way={state.way}
            signOut={signOut}
            endAccess={state.endAccess}
          />
        )}
        {state.status === 'signed-in' && link !== undefined && (
          <LinkQuestion me={state.service.me} link={link} />
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
