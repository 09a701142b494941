/** Sheet with one transaction at an address of its own: status, money, timeline and all fields. */

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { actionOf } from '../../keys/keys.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useDebounced } from '../../search/use-debounced.ts';
import { useRefetchAll } from '../../service/retry-requests.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { RowFacts } from './row-facts.tsx';
import { RowHead } from './row-head.tsx';
import type { OpenedRow } from './use-opened-row.ts';
import { useRowNames } from './use-row-names.ts';

interface RowSheetProps {
  readonly opened: OpenedRow;
  /** The number of rows of the list; undefined while it is loading. */
  readonly count: number | undefined;
  open(place: number): void;
  close(): void;
}

export function RowSheet({ opened, count, open, close }: RowSheetProps) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const refetch = useRefetchAll();
  const first = useRef<HTMLButtonElement>(null);
  const { id, place, row } = opened;
  // A held key passes many transactions, which are not requested.
  const isSettled = useDebounced(id) === id;
  const { data, error } = useWholeRow(opened, isSettled);
  const names = useRowNames(opened, isSettled);
  // Moves the focus, because the focused button disappears with its notice.
  const retry = () => {
    first.current?.focus();
    refetch();
  };
  const previous = place === undefined || place === 0 ? undefined : place - 1;
  const next = place === undefined || place === (count ?? 0) - 1 ? undefined : place + 1;
  const go = (to: number | undefined) => (to === undefined ? undefined : open(to));
  return (
    <Sheet
      title={texts.list.row(id)}
      close={close}
      onKey={(event) => {
        const action = actionOf('row', event);
        if (action === undefined || action === 'close') return;
        event.preventDefault();
        go(action === 'next' ? next : previous);
      }}
    >
      <div className="row-tools">
        <button
          ref={first}
          type="button"
          aria-disabled={previous === undefined}
          onClick={() => go(previous)}
        >
          {texts.list.previous}
        </button>
        <button type="button" aria-disabled={next === undefined} onClick={() => go(next)}>
          {texts.list.next}
        </button>
        <CopyButton text={location.href} label={texts.row.copyLink}>
          {texts.row.copyLink}
        </CopyButton>
        <CopyButton
          text={JSON.stringify(data ?? {}, null, 2)}
          label={texts.list.copyAll}
          isDisabled={data === undefined}
        >
          {texts.list.copyAll}
        </CopyButton>
      </div>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {(data ?? row) !== undefined && (
        <>
          <RowHead row={data ?? row ?? {}} />
          {place === undefined && count !== undefined && (
            <p className="soft small">{texts.row.notInList}</p>
          )}
          <p className="soft small">{texts.list.clock(service.me.time_zone)}</p>
        </>
      )}
      {(error === null || row !== undefined) && (
        <RowFacts
          row={{ ...names, ...(data ?? row) }}
          isComplete={data !== undefined}
          hasFailed={error !== null}
        />
      )}
    </Sheet>
  );
}

/** Requests all fields, because the list has only those of its columns and may lack the row. */
function useWholeRow({ id }: OpenedRow, isEnabled: boolean) {
  const { language } = useLocalization();
  const { service, view } = useExplorer();
  const { kind } = view;
  return useQuery({
    queryKey: ['row', kind, id, language],
    enabled: isEnabled,
    queryFn: async ({ signal }) => await service.transactions.get(kind, Number(id), { signal }),
  });
}
