/** One transaction with all its fields. */

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { RECORDS } from '../../../src/contract/record/records.ts';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { nameOf } from '../query/filters.ts';
import type { Question, Values } from '../query/question.ts';
import { useRetryRequests } from '../service/retry-requests.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Value } from './grid/value.tsx';

interface RowSheetProps {
  /** That of the list that the row is in. */
  readonly question: Question;
  readonly row: Values | undefined;
  readonly place: number;
  readonly count: number;
  go(row: number): void;
  close(): void;
}

export function RowSheet({ question, row, place, count, go, close }: RowSheetProps) {
  const { texts } = useReader();
  const { service } = useAccess();
  const askAgain = useRetryRequests();
  const first = useRef<HTMLButtonElement>(null);
  const { data, error } = useWholeRow(question, row);
  // The notice goes, and the focus must not go with it.
  const again = () => {
    first.current?.focus();
    askAgain();
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
      {error !== null && <ErrorNotice error={error} again={again} />}
      <Facts row={data ?? row ?? {}} isWhole={data !== undefined} />
    </Sheet>
  );
}

/** The list has only the fields of its columns. */
function useWholeRow({ type = '' }: Question, row: Values | undefined) {
  const { language } = useReader();
  const { service } = useAccess();
  const id = String(row?.transaction_id ?? '');
  const day = String(row?.created_at ?? '').slice(0, 10);
  return useQuery({
    queryKey: ['row', type, id, language],
    enabled: row !== undefined,
    queryFn: async ({ signal }) => {
      const days = { start_date: day, end_date: day };
      const question = { type, ...days, transaction_id: id, limit: '1' };
      const { rows } = await service.transactions.page(question, { signal });
      // A row that has gone meanwhile is shown as it was in the list.
      return rows[0] ?? row ?? {};
    },
  });
}

interface FactsProps {
  readonly row: Values;
  /** What else there is of the row is still being read. */
  readonly isWhole: boolean;
}

function Facts({ row, isWhole }: FactsProps) {
  const { texts } = useReader();
  const { service } = useAccess();
  return (
    <dl className="facts" aria-busy={!isWhole}>
      {RECORDS[service.role].map((column) => {
        const value = row[column.name] ?? null;
        const name = nameOf(column.name, texts);
        return (
          <div key={column.name}>
            <dt>{name}</dt>
            <dd>
              {isWhole || Object.hasOwn(row, column.name) ? (
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
