/** The door of the page: one field, and why nobody was let in. */

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { usePageTitle } from '../layout/page-title.ts';
import { PreferenceSwitches } from '../layout/preference-switches.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { refusalOf } from '../service/error-messages.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

interface SignInProps {
  /** Why the reader is here again. */
  readonly reason: unknown;
  signIn(token: string): Promise<void>;
}

export function SignInPage({ reason, signIn }: SignInProps) {
  const { texts } = useReader();
  return (
    <Door>
      <p className="soft">{texts.signIn.intro}</p>
      <TokenForm reason={reason} signIn={signIn} />
      <p className="soft small">{texts.signIn.kept}</p>
    </Door>
  );
}

interface HeldUpProps {
  readonly reason: unknown;
  again(): Promise<void>;
  leave(): void;
}

/** For whoever is still signed in, though nothing can be shown to them at the moment. */
export function SignInPausedPage({ reason, again, leave }: HeldUpProps) {
  const { texts } = useReader();
  return (
    <Door>
      <ErrorNotice error={reason} again={() => void again()} />
      <button type="button" className="wide" onClick={() => leave()}>
        {texts.account.signOut}
      </button>
    </Door>
  );
}

function Door({ children }: { readonly children: ReactNode }) {
  const { texts } = useReader();
  usePageTitle(texts.brand);
  return (
    <div className="door">
      <header className="door-top">
        <PreferenceSwitches />
      </header>
      <main className="door-card">
        <Mark />
        <h1>{texts.signIn.title}</h1>
        {children}
      </main>
    </div>
  );
}

export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path className="mark-bars" d="M7 18h4v7H7zM14 12h4v13h-4zM21 7h4v18h-4z" />
  </svg>
);

function TokenForm({ reason, signIn }: SignInProps) {
  const { texts } = useReader();
  const id = useId();
  const [token, setToken] = useState('');
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(reason);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    // Whoever copies a token often copies the end of its line.
    await signIn(token.trim()).catch(setError);
    setBusy(false);
  };
  const isEmpty = token.trim() === '';
  return (
    // By POST, so that not even a page without its script would put the token into an address.
    <form method="post" onSubmit={submit} className="stack">
      <label htmlFor={id} className="label">
        {texts.signIn.token}
      </label>
      <div className="field-with-button">
        <input
          ref={field}
          id={id}
          // No field of a password: browsers offer to save those, whatever they are told.
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
        {error !== undefined && <Notice refusal={refusalOf(error, texts)} />}
      </div>
      <button type="submit" className="primary" disabled={isBusy || isEmpty}>
        {isBusy ? texts.signIn.busy : texts.signIn.submit}
      </button>
    </form>
  );
}
