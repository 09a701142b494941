/** The page of whoever has signed in: ask, see at a glance, read, take away. */

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { AskBar } from './ask/ask-bar.tsx';
import { AskerContext } from './asker.tsx';
import { Glance } from './glance/glance.tsx';
import { List, ListAhead } from './list/list.tsx';
import { endsAccess } from './refusals.ts';
import type { Service } from './service.ts';
import { TopBar } from './top-bar.tsx';
import { useView } from './use-view.ts';
import { daysOf, questionOf } from './view.ts';

interface ExplorerProps {
  readonly service: Service;
  leave(reason?: unknown): void;
}

/** Milliseconds for which an answer is shown again without being asked for. */
const FRESH = 60_000;

export function Explorer({ service, leave }: ExplorerProps) {
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
  const [view, change] = useView();
  const asker = useMemo(() => {
    const days = daysOf(view, service.me.time_zone);
    return { service, view, change, days, question: questionOf(view, days) };
  }, [service, view, change]);
  return (
    <QueryClientProvider client={queries}>
      <AskerContext value={asker}>
        <ListAhead />
        <TopBar leave={leave} />
        <main className="page">
          <AskBar />
          <Glance />
          <List leave={leave} />
        </main>
      </AskerContext>
    </QueryClientProvider>
  );
}
