/** The bar at the top: whose page this is, how it is shown, and the way out. */

import { useState } from 'react';
import type { Me } from '../../client/src/index.ts';
import { useReader } from './reader.tsx';
import { ReaderSwitches } from './reader-switches.tsx';
import { Sheet } from './sheet.tsx';
import { Mark } from './sign-in-page.tsx';

interface TopBarProps {
  readonly me: Me;
  leave(): void;
}

export function TopBar({ me, leave }: TopBarProps) {
  const { texts } = useReader();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="top">
      <a className="skip" href="#list">
        {texts.skip}
      </a>
      <h1 className="brand">
        <Mark />
        {texts.brand}
      </h1>
      <ReaderSwitches />
      <button type="button" className="quiet account" onClick={() => setOpen(true)}>
        <span className="badge">{texts.account[me.role]}</span>
        {texts.account.open}
      </button>
      {isOpen && (
        <Sheet title={texts.account.title} close={() => setOpen(false)}>
          <WhoYouAre me={me} />
          <ReaderSwitches />
          <button type="button" className="wide" onClick={() => leave()}>
            {texts.account.signOut}
          </button>
        </Sheet>
      )}
    </header>
  );
}

const listed = (ids: readonly number[] | 'all', all: string): string =>
  ids === 'all' ? all : ids.join(', ');

function WhoYouAre({ me }: { readonly me: Me }) {
  const { texts, formats } = useReader();
  const { account } = texts;
  const { requests, downloads } = me.limits;
  const left = (some: { readonly limit: number; readonly remaining: number } | null): string =>
    some === null
      ? account.unlimited
      : account.left(formats.count(some.remaining), formats.count(some.limit));
  const facts = [
    [account.role, account[me.role]],
    [account.websites, listed(me.publisher_ids, account.all)],
    [account.programs, listed(me.program_ids, account.all)],
    [account.timeZone, me.time_zone],
    [
      account.until,
      me.expires_at === null ? account.endless : formats.instant(me.expires_at, me.time_zone),
    ],
    [account.requests, left(requests)],
    [account.downloads, left(downloads)],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
