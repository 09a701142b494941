/** Sign-in page: by the provider or by a token, with the error of the last attempt. */

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { PreferenceSwitches } from '../layout/preference-switches.tsx';
import { errorMessageOf } from '../service/error-messages.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { KeepChoice } from './keep-choice.tsx';
import { ProviderFailure } from './provider/provider-failure.ts';
import { ProviderSignInButton } from './provider/provider-sign-in.tsx';
import type { StoredToken } from './token-storage.ts';

interface SignInProps {
  /** The error that ended or prevented the last sign-in. */
  readonly error: unknown;
  signIn(stored: StoredToken): Promise<void>;
}

export function SignInPage({ error, signIn }: SignInProps) {
  const { texts } = useLocalization();
  return (
    <SignInLayout>
      <ProviderSignInButton error={error} />
      <p className="soft">{texts.signIn.intro}</p>
      <TokenForm error={error instanceof ProviderFailure ? undefined : error} signIn={signIn} />
    </SignInLayout>
  );
}

interface SignInPausedProps {
  readonly error: unknown;
  retry(): Promise<void>;
  signOut(): void;
}

/** Shown while the stored token or the link cannot be checked: the user can retry or sign out. */
export function SignInPausedPage({ error, retry, signOut }: SignInPausedProps) {
  const { texts } = useLocalization();
  return (
    <SignInLayout>
      <ErrorNotice error={error} retry={() => void retry()} />
      <button type="button" className="wide" onClick={() => signOut()}>
        {texts.account.signOut}
      </button>
    </SignInLayout>
  );
}

function SignInLayout({ children }: { readonly children: ReactNode }) {
  const { texts } = useLocalization();
  usePageTitle(texts.brand);
  return (
    <div className="sign-in-page">
      <header className="sign-in-top">
        <PreferenceSwitches />
      </header>
      <main className="sign-in-card">
        <Logo />
        <h1>{texts.signIn.title}</h1>
        {children}
      </main>
    </div>
  );
}

export const Logo = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path className="mark-bars" d="M7 18h4v7H7zM14 12h4v13h-4zM21 7h4v18h-4z" />
  </svg>
);

function TokenForm({ error: initialError, signIn }: SignInProps) {
  const { texts } = useLocalization();
  const id = useId();
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(initialError);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    // Copied tokens often end with a line break.
    await signIn({ token: token.trim(), isKept }).catch(setError);
    setBusy(false);
  };
  const isEmpty = token.trim() === '';
  return (
    // POST, so that the token does not appear in the URL if the script fails to load.
    <form method="post" onSubmit={submit} className="stack">
      <label htmlFor={id} className="label">
        {texts.signIn.token}
      </label>
      <div className="field-with-button">
        <input
          ref={field}
          id={id}
          // Not a password field: browsers offer to save passwords despite autocomplete="off".
          type="text"
          className={isShown ? undefined : 'masked'}
          value={token}
          onChange={(event) => setToken(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={`${id}-error`}
          placeholder="trx_…"
        />
        <button type="button" className="quiet" onClick={() => setShown(!isShown)}>
          {isShown ? texts.signIn.hide : texts.signIn.show}
        </button>
      </div>
      <div id={`${id}-error`} aria-live="polite">
        {error !== undefined && <Notice message={errorMessageOf(error, texts)} />}
      </div>
      <KeepChoice isKept={isKept} setKept={setKept} />
      <button type="submit" className="primary" disabled={isBusy || isEmpty}>
        {isBusy ? texts.signIn.busy : texts.signIn.submit}
      </button>
    </form>
  );
}
