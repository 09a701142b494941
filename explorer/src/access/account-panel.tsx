/** Account panel: role, access rights and remaining limits of the token, and whether the device keeps it. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { keepViewsWithToken } from '../views/use-saved-views.ts';
import { useExplorer } from './explorer-context.tsx';
import { KeepChoice } from './keep-choice.tsx';
import { isFromProvider } from './provider/provider-session.ts';
import { keepToken, storedToken } from './token-storage.ts';

const idList = (ids: readonly number[] | 'all', all: string): string =>
  ids === 'all' ? all : ids.join(', ');

export function AccountPanel() {
  const { texts, formats } = useLocalization();
  const { service } = useExplorer();
  const { account } = texts;
  const { data: me = service.me } = useQuery({
    queryKey: ['me'],
    queryFn: async ({ signal }) => await service.whoAmI({ signal }),
    // The limits change with each request.
    staleTime: 0,
  });
  const { requests, downloads } = me.limits;
  const remaining = (
    some: { readonly limit: number; readonly remaining: number } | null,
  ): string =>
    some === null
      ? account.unlimited
      : account.left(formats.count(some.remaining), formats.count(some.limit));
  const facts = [
    ...(me.name === null ? [] : [[account.name, me.name] as const]),
    [account.role, account[me.role]],
    [account.websites, idList(me.publisher_ids, account.all)],
    [account.programs, idList(me.program_ids, account.all)],
    [account.timeZone, me.time_zone],
    [account.currency, me.currency ?? account.notSet],
    [
      account.until,
      me.expires_at === null ? account.endless : formats.instant(me.expires_at, me.time_zone),
    ],
    [account.requests, remaining(requests)],
    [account.downloads, remaining(downloads)],
  ] as const;
  return (
    <>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!isFromProvider() && <KeptToken />}
    </>
  );
}

function KeptToken() {
  const { me } = useExplorer().service;
  const [isKept, setKept] = useState(storedToken()?.isKept ?? false);
  const change = (isNowKept: boolean) => {
    keepToken(isNowKept);
    keepViewsWithToken(me);
    setKept(isNowKept);
  };
  return <KeepChoice isKept={isKept} setKept={change} />;
}
