/** The page after sign-in: query form, overview, transaction list and export. */

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ExplorerContext, type ExplorerState } from './access/explorer-context.tsx';
import { LinkNotice } from './access/link-notice.tsx';
import type { SignInMethod } from './access/use-page-start.ts';
import { StoppedWebhooks } from './access/webhooks/stopped-webhooks.tsx';
import { PageKeys } from './keys/page-keys.tsx';
import { SignedInLocalization, useLocalization } from './layout/localization-context.tsx';
import { usePageTitle } from './layout/page-title.ts';
import { TopBar } from './layout/top-bar.tsx';
import { PageSections } from './page-sections.tsx';
import { useToday } from './query/today.ts';
import { useSameQuery } from './query/use-same-query.ts';
import { useView } from './query/use-view.ts';
import { apiQueryOf, periodOfView } from './query/view.ts';
import { QueryForm } from './query-form/query-form.tsx';
import { endsAccess } from './service/error-messages.ts';
import { FailedRequests } from './service/failed-requests.tsx';
import type { Service } from './service/service.ts';
import { TransactionList, TransactionListPrefetch } from './table/transaction-list.tsx';
import { openDefaultView } from './views/use-saved-views.ts';

interface ExplorerProps {
  readonly service: Service;
  readonly way: SignInMethod;
  signOut(): void;
  /** Ends the sign-in because a request was refused. */
  endAccess(error: unknown): void;
}

/** Milliseconds for which cached responses are used again. */
const STALE_TIME = 60_000;

export function Explorer({ service, way, signOut, endAccess }: ExplorerProps) {
  const [queries] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({
          onError: (error) => {
            if (endsAccess(error)) endAccess(error);
          },
        }),
        // The client retries by itself.
        defaultOptions: {
          queries: {
            networkMode: 'always',
            retry: false,
            staleTime: STALE_TIME,
            refetchOnWindowFocus: false,
          },
        },
      }),
  );
  // Opens the default view before `useExplorerState` reads the address. Otherwise the first requests would ignore it.
  useState(() => openDefaultView(service.me));
  const access = useExplorerState(service);
  usePageTitle(useTitleOf(access));
  return (
    <QueryClientProvider client={queries}>
      <ExplorerContext value={access}>
        <TransactionListPrefetch />
        <SignedInLocalization role={service.role} currency={service.me.currency}>
          <PageKeys />
          <TopBar isNewSignIn={way !== 'restored'} signOut={signOut} />
          <main className="page">
            {way === 'link' && <LinkNotice />}
            <StoppedWebhooks />
            <QueryForm />
            <FailedRequests />
            <PageSections />
            <TransactionList endAccess={endAccess} />
          </main>
        </SignedInLocalization>
      </ExplorerContext>
    </QueryClientProvider>
  );
}

/** Renders again at midnight in the platform's time zone, because the days of a named period change then. */
function useExplorerState(service: Service): ExplorerState {
  const [view, change] = useView(service.role);
  useToday(service.me.time_zone);
  const { start, end } = periodOfView(view, service.me.time_zone);
  const query = useSameQuery(apiQueryOf(view, { start, end }));
  return useMemo(
    () => ({ service, view, change, days: { start, end }, query }),
    [service, view, change, start, end, query],
  );
}

function useTitleOf({ view, days }: ExplorerState): string {
  const { texts, formats } = useLocalization();
  const { kind, period, row } = view;
  const when =
    typeof period === 'string' ? texts.periods[period] : formats.period(days.start, days.end);
  const what = row === undefined ? when : texts.list.row(row);
  return `${texts.kinds[kind]} · ${what} – ${texts.brand}`;
}
