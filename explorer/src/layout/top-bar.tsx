/** Top bar: title, preferences and the account menu with sign-out. */

import { useEffect, useRef, useState } from 'react';
import { AccountPanel } from '../access/account-panel.tsx';
import { useExplorer } from '../access/explorer-context.tsx';
import { LazyAccessSheet } from '../access/lazy-access-sheet.tsx';
import { Logo } from '../access/sign-in-page.tsx';
import { showShortcuts } from '../keys/page-keys.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useLocalization } from './localization-context.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';
import { useRestingPointer } from './resting-pointer.ts';

type OpenSheet = 'account' | 'access';

interface TopBarProps {
  /** After a new sign-in the focus moves from the token field to the heading. */
  readonly isNewSignIn: boolean;
  signOut(): void;
}

export function TopBar({ isNewSignIn, signOut }: TopBarProps) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const [open, setOpen] = useState<OpenSheet>();
  const close = () => setOpen(undefined);
  useRestingPointer(isNewSignIn);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNewSignIn) heading.current?.focus();
  }, [isNewSignIn]);
  return (
    <header className="top">
      <h1 ref={heading} className="brand" tabIndex={-1}>
        <Logo />
        {texts.brand}
      </h1>
      <a className="skip" href="#list">
        {texts.skip}
      </a>
      <SearchBox />
      <PreferenceSwitches />
      {service.me.may_manage_tokens && (
        <button type="button" className="quiet manage" onClick={() => setOpen('access')}>
          {texts.tokens.open}
        </button>
      )}
      <button type="button" className="quiet account" onClick={() => setOpen('account')}>
        <span className="badge">{texts.account[service.role]}</span>
        {texts.account.open}
      </button>
      {open === 'access' && <LazyAccessSheet close={close} />}
      {open === 'account' && (
        <Sheet title={texts.account.title} close={close}>
          <AccountPanel />
          <PreferenceSwitches />
          <button type="button" className="wide" onClick={showShortcuts}>
            {texts.keys.open} <kbd>?</kbd>
          </button>
          <button type="button" className="wide" onClick={() => signOut()}>
            {texts.account.signOut}
          </button>
        </Sheet>
      )}
    </header>
  );
}
