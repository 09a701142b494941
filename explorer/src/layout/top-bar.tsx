/** The bar at the top: whose page this is, how it is shown, and the way out. */

import { useEffect, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { AccountPanel } from '../access/account-panel.tsx';
import { Mark } from '../access/sign-in-page.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';
import { useReader } from './reader-context.tsx';

interface TopBarProps {
  /** Whether the reader has come in by the door, where the focus was. */
  readonly isEntered: boolean;
  leave(): void;
}

export function TopBar({ isEntered, leave }: TopBarProps) {
  const { texts } = useReader();
  const { service } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isEntered) heading.current?.focus();
  }, [isEntered]);
  return (
    <header className="top">
      <h1 ref={heading} className="brand" tabIndex={-1}>
        <Mark />
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
          <button type="button" className="wide" onClick={() => leave()}>
            {texts.account.signOut}
          </button>
        </Sheet>
      )}
    </header>
  );
}
