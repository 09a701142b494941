/** Sheet with all fields of one transaction, and buttons to the previous and next one. */

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { RECORDS } from '../../../src/contract/record/records.ts';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import { fieldLabel } from '../query/filters.ts';
import { useRefetchAll } from '../service/retry-requests.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Value } from './grid/value.tsx';

interface RowSheetProps {
  /** The query of the list. */
  readonly query: ApiQuery;
  readonly row: ResultRow | undefined;
  readonly place: number;
  readonly count: number;
  go(row: number): void;
  close(): void;
}

export function RowSheet({ query, row, place, count, go, close }: RowSheetProps) {
  const { texts } = useLocalization();
  const { service } = useAccess();
  const refetch = useRefetchAll();
  const first = useRef<HTMLButtonElement>(null);
  const { data, error } = useWholeRow(query, row);
  // Moves the focus, because the focused button disappears with its notice.
  const retry = () => {
    first.current?.focus();
    refetch();
  };
  const isFirst = place === 0;
  const isLast = place === count - 1;
  return (
    <Sheet title={texts.list.row(String(row?.transaction_id ?? '…'))} close={close}>
      <p className="soft small">{texts.list.clock(service.me.time_zone)}</p>
      <div className="row-tools">
        <button
          ref={first}
          type="button"
          aria-disabled={isFirst}
          onClick={() => (isFirst ? undefined : go(place - 1))}
        >
          {texts.list.previous}
        </button>
        <button
          type="button"
          aria-disabled={isLast}
          onClick={() => (isLast ? undefined : go(place + 1))}
        >
          {texts.list.next}
        </button>
        <CopyButton
          text={JSON.stringify(data ?? {}, null, 2)}
          label={texts.list.copyAll}
          isDisabled={data === undefined}
        >
          {texts.list.copyAll}
        </CopyButton>
      </div>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      <Facts row={data ?? row ?? {}} isComplete={data !== undefined} />
    </Sheet>
  );
}

/** Requests all fields: the list has only those of its columns. */
function useWholeRow({ type = '' }: ApiQuery, row: ResultRow | undefined) {
  const { language } = useLocalization();
  const { service } = useAccess();
  const id = String(row?.transaction_id ?? '');
  const day = String(row?.created_at ?? '').slice(0, 10);
  return useQuery({
    queryKey: ['row', type, id, language],
    enabled: row !== undefined,
    queryFn: async ({ signal }) => {
      const days = { start_date: day, end_date: day };
      const query = { type, ...days, transaction_id: id, limit: '1' };
      const { rows } = await service.transactions.page(query, { signal });
      // A row deleted meanwhile is shown as it was in the list.
      return rows[0] ?? row ?? {};
    },
  });
}

interface FactsProps {
  readonly row: ResultRow;
  /** False while only the fields of the list are known. */
  readonly isComplete: boolean;
}

function Facts({ row, isComplete }: FactsProps) {
  const { texts } = useLocalization();
  const { service } = useAccess();
  return (
    <dl className="facts" aria-busy={!isComplete}>
      {RECORDS[service.role].map((column) => {
        const value = row[column.name] ?? null;
        const name = fieldLabel(column.name, texts);
        return (
          <div key={column.name}>
            <dt>{name}</dt>
            <dd>
              {isComplete || Object.hasOwn(row, column.name) ? (
                <Value column={column} row={row} />
              ) : (
                <span className="shade" />
              )}
              {value !== null && (
                <CopyButton text={String(value)} label={texts.list.copyOf(name)} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
