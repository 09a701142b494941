/** The page of whoever has signed in: ask, see at a glance, read, take away. */

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { AskBar } from './ask/ask-bar.tsx';
import { type Asker, AskerContext } from './asker.tsx';
import { Failures } from './failures.tsx';
import { Glance } from './glance/glance.tsx';
import { List, ListAhead } from './list/list.tsx';
import { usePageTitle } from './page-title.ts';
import { AudienceWords, useReader } from './reader.tsx';
import { endsAccess } from './refusals.ts';
import type { Service } from './service.ts';
import { useToday } from './today.ts';
import { TopBar } from './top-bar.tsx';
import { useView } from './use-view.ts';
import { daysOf, questionOf } from './view.ts';

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
      <AskerContext value={asker}>
        <ListAhead />
        <AudienceWords role={service.role}>
          <TopBar isEntered={isEntered} leave={leave} />
          <main className="page">
            <AskBar />
            <Failures />
            <Glance />
            <List leave={leave} />
          </main>
        </AudienceWords>
      </AskerContext>
    </QueryClientProvider>
  );
}

/** The days of a period by name are others as soon as the platform's clock has another day. */
function useAskerOf(service: Service): Asker {
  const [view, change] = useView();
  useToday(service.me.time_zone);
  const { start, end } = daysOf(view, service.me.time_zone);
  return useMemo(() => {
    const days = { start, end };
    return { service, view, change, days, question: questionOf(view, days) };
  }, [service, view, change, start, end]);
}

function useTitleOf({ view, days }: Asker): string {
  const { texts, formats } = useReader();
  const { kind, period } = view;
  const when =
    typeof period === 'string' ? texts.periods[period] : formats.period(days.start, days.end);
  return `${texts.kinds[kind]} · ${when} – ${texts.brand}`;
}
