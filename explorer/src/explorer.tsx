/** The page of whoever has signed in: ask, see at a glance, read, take away. */

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Access, AccessContext } from './access/access-context.tsx';
import { usePageTitle } from './layout/page-title.ts';
import { RoleTexts, useReader } from './layout/reader-context.tsx';
import { TopBar } from './layout/top-bar.tsx';
import { Overview } from './overview/overview.tsx';
import { useToday } from './query/today.ts';
import { useView } from './query/use-view.ts';
import { daysOf, questionOf } from './query/view.ts';
import { QueryForm } from './query-form/query-form.tsx';
import { endsAccess } from './service/error-messages.ts';
import { FailedRequests } from './service/failed-requests.tsx';
import type { Service } from './service/service.ts';
import { TransactionList, TransactionListPrefetch } from './table/transaction-list.tsx';

interface ExplorerProps {
  readonly service: Service;
  /** Whether the reader has come in by the door. */
  readonly isEntered: boolean;
  leave(reason?: unknown): void;
}

/** Milliseconds for which an answer is shown again without being asked for. */
const FRESH = 60_000;

export function Explorer({ service, isEntered, leave }: ExplorerProps) {
  const [queries] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({
          onError: (error) => {
            if (endsAccess(error)) leave(error);
          },
        }),
        // The client asks again by itself where that helps.
        defaultOptions: {
          queries: {
            networkMode: 'always',
            retry: false,
            staleTime: FRESH,
            refetchOnWindowFocus: false,
          },
        },
      }),
  );
  const asker = useAskerOf(service);
  usePageTitle(useTitleOf(asker));
  return (
    <QueryClientProvider client={queries}>
      <AccessContext value={asker}>
        <TransactionListPrefetch />
        <RoleTexts role={service.role}>
          <TopBar isEntered={isEntered} leave={leave} />
          <main className="page">
            <QueryForm />
            <FailedRequests />
            <Overview />
            <TransactionList leave={leave} />
          </main>
        </RoleTexts>
      </AccessContext>
    </QueryClientProvider>
  );
}

/** The days of a period by name are others as soon as the platform's clock has another day. */
function useAskerOf(service: Service): Access {
  const [view, change] = useView();
  useToday(service.me.time_zone);
  const { start, end } = daysOf(view, service.me.time_zone);
  return useMemo(() => {
    const days = { start, end };
    return { service, view, change, days, question: questionOf(view, days) };
  }, [service, view, change, start, end]);
}

function useTitleOf({ view, days }: Access): string {
  const { texts, formats } = useReader();
  const { kind, period } = view;
  const when =
    typeof period === 'string' ? texts.periods[period] : formats.period(days.start, days.end);
  return `${texts.kinds[kind]} · ${when} – ${texts.brand}`;
}
