/** The whole page: for whoever has signed in, and for whoever has not. */

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SignInPage, SignInPausedPage } from './access/sign-in-page.tsx';
import { forgetToken, storedToken, storeToken } from './access/token-storage.ts';
import { Explorer } from './explorer.tsx';
import { usePreference } from './layout/preferences.ts';
import { ReaderProvider } from './layout/reader-context.tsx';
import { endsAccess } from './service/error-messages.ts';
import { useRetryWhenOnline } from './service/retry-requests.ts';
import { type Service, signIn } from './service/service.ts';
import { isLanguage } from './texts/texts.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';

type Access =
  /** Nothing is known yet of the token that the tab has kept. */
  | { readonly is: 'coming' }
  /** The token is kept, and the service could not be asked what it is good for. */
  | { readonly is: 'held-up'; readonly reason: unknown }
  | { readonly is: 'in'; readonly service: Service; readonly isEntered: boolean }
  /** With the reason, where that is not the reader's own wish. */
  | { readonly is: 'out'; readonly reason?: unknown };

export function App() {
  const [access, setAccess] = useState<Access>({
    is: storedToken() === undefined ? 'out' : 'coming',
  });
  const language = useRequestLanguage();
  const begin = useLatestAlone();
  const enter = useCallback(
    async (token: string, isEntered: boolean, signal: AbortSignal) => {
      const service = await signIn(token, language, signal);
      signal.throwIfAborted();
      storeToken(token);
      setAccess({ is: 'in', service, isEntered });
    },
    [language],
  );
  const leave = useCallback(
    (reason?: unknown) => {
      begin();
      forgetToken();
      setAccess({ is: 'out', reason });
    },
    [begin],
  );
  const comeBack = useCallback(async () => {
    const token = storedToken();
    if (token === undefined) return leave();
    const signal = begin();
    await enter(token, false, signal).catch((reason: unknown) => {
      if (signal.aborted) return;
      if (endsAccess(reason)) leave(reason);
      else setAccess({ is: 'held-up', reason });
    });
  }, [begin, enter, leave]);
  useFirst(() => {
    if (access.is === 'coming') void comeBack();
  });
  useRetryWhenOnline(access.is === 'held-up', comeBack);
  useNoReturn();
  return (
    <ReaderProvider locale={access.is === 'in' ? access.service.me.locale : undefined}>
      <ErrorBoundary leave={leave}>
        {access.is === 'coming' && <div className="door" aria-busy="true" />}
        {access.is === 'held-up' && (
          <SignInPausedPage reason={access.reason} again={comeBack} leave={leave} />
        )}
        {access.is === 'out' && (
          <SignInPage
            reason={access.reason}
            signIn={async (token) => await enter(token, true, begin())}
          />
        )}
        {access.is === 'in' && (
          <Explorer service={access.service} isEntered={access.isEntered} leave={leave} />
        )}
      </ErrorBoundary>
    </ReaderProvider>
  );
}

/** The page's language where the reader has chosen one; a token's own is preferred by the service. */
function useRequestLanguage(): () => string {
  const [chosen] = usePreference('language');
  const language = isLanguage(chosen) ? chosen : navigator.language;
  const latest = useRef(language);
  useLayoutEffect(() => {
    latest.current = language;
  });
  return useCallback(() => latest.current, []);
}

/** What was begun before is over: whoever signs out stays out, whatever was under way. */
function useLatestAlone(): () => AbortSignal {
  const latest = useRef<AbortController>(undefined);
  return useCallback(() => {
    latest.current?.abort();
    latest.current = new AbortController();
    return latest.current.signal;
  }, []);
}

/** Does something once, however often the page is drawn. */
function useFirst(something: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    something();
  });
}

/** Going back must not show the page as it was before its reader signed out. */
function useNoReturn(): void {
  useEffect(() => {
    const look = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', look);
    return () => removeEventListener('pageshow', look);
  }, []);
}
