/** React hook for the names of a transaction's program, website and support. */

import { useQuery } from '@tanstack/react-query';
import { FIRST_DAY, LAST_DAY } from '../../../../src/contract/query/calendar.ts';
import { NAME_FIELDS } from '../../../../src/contract/record/directory.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import type { OpenedRow } from './use-opened-row.ts';

const FIELDS = NAME_FIELDS.map(({ name }) => name);

/** A second request, because `transactions.get` sends no `fields`, and the API adds names only if asked. */
export function useRowNames({ id }: OpenedRow, isEnabled: boolean): ResultRow {
  const { service, view } = useExplorer();
  const { kind } = view;
  const { data } = useQuery({
    queryKey: ['row-names', kind, id],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const query = { type: kind, transaction_id: id, start_date: FIRST_DAY, end_date: LAST_DAY };
      const fields = FIELDS.join(',');
      const { rows } = await service.transactions.page(
        { ...query, fields, limit: '1' },
        { signal },
      );
      return rows[0] ?? {};
    },
  });
  return data ?? {};
}
