/** The whole page: for whoever has signed in, and for whoever has not. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { Explorer } from './explorer.tsx';
import { forgetToken, keepToken, keptToken } from './kept-token.ts';
import { ReaderProvider } from './reader.tsx';
import { endsAccess } from './refusals.ts';
import { type Service, signIn } from './service.ts';
import { SignInPage } from './sign-in-page.tsx';

interface Access {
  readonly service?: Service;
  /** Why there is none, where that is not the reader's own wish. */
  readonly reason?: unknown;
  readonly isKnown: boolean;
}

export function App() {
  const [access, setAccess] = useState<Access>({ isKnown: keptToken() === undefined });
  const enter = useCallback(async (token: string) => {
    const service = await signIn(token, navigator.language);
    keepToken(token);
    setAccess({ service, isKnown: true });
  }, []);
  const leave = useCallback((reason?: unknown) => {
    forgetToken();
    setAccess({ reason, isKnown: true });
  }, []);
  useComeBack(enter, (error) => {
    if (endsAccess(error)) forgetToken();
    setAccess({ reason: error, isKnown: true });
  });
  const { service, reason, isKnown } = access;
  return (
    <ReaderProvider locale={service?.me.locale}>
      {!isKnown && <div className="door" aria-busy="true" />}
      {isKnown && service === undefined && <SignInPage reason={reason} signIn={enter} />}
      {service !== undefined && <Explorer service={service} leave={leave} />}
    </ReaderProvider>
  );
}

/** Whoever loads the page again in the same tab is still signed in. */
function useComeBack(
  enter: (token: string) => Promise<void>,
  failed: (error: unknown) => void,
): void {
  const isTried = useRef(false);
  useEffect(() => {
    if (isTried.current) return;
    isTried.current = true;
    const token = keptToken();
    if (token !== undefined) enter(token).catch(failed);
  });
}
