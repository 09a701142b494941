/** Top bar: title, preferences and the account menu with sign-out. */

import { useEffect, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { AccountPanel } from '../access/account-panel.tsx';
import { Logo } from '../access/sign-in-page.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useLocalization } from './localization-context.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';

interface TopBarProps {
  /** After a new sign-in the focus moves from the token field to the heading. */
  readonly isNewSignIn: boolean;
  signOut(): void;
}

export function TopBar({ isNewSignIn, signOut }: TopBarProps) {
  const { texts } = useLocalization();
  const { service } = useAccess();
  const [isOpen, setOpen] = useState(false);
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
      <PreferenceSwitches />
      <button type="button" className="quiet account" onClick={() => setOpen(true)}>
        <span className="badge">{texts.account[service.role]}</span>
        {texts.account.open}
      </button>
      {isOpen && (
        <Sheet title={texts.account.title} close={() => setOpen(false)}>
          <AccountPanel />
          <PreferenceSwitches />
          <button type="button" className="wide" onClick={() => signOut()}>
            {texts.account.signOut}
          </button>
        </Sheet>
      )}
    </header>
  );
}
