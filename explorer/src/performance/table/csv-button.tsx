/** Button that downloads the performance table as the CSV of the API. */

import { useState } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { openTarget } from '../../export/download-target.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ApiQuery } from '../../query/api-query.ts';
import type { TableQuery } from './use-table.ts';

/** For example `performance_subid_2026-01-01_2026-01-31.csv`. */
export const csvNameOf = ({ group_by, start_date, end_date }: ApiQuery): string =>
  `performance_${group_by}_${start_date}_${end_date}.csv`;

type State = 'idle' | 'busy' | 'broken';

export function CsvButton({ table: { query } }: { readonly table: TableQuery }) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const [state, setState] = useState<State>('idle');
  const file = csvNameOf(query);
  const save = async () => {
    const target = await openTarget(file, 'text/csv');
    if (target === undefined) return;
    setState('busy');
    try {
      await (await service.performanceCsv(query)).pipeTo(target.stream);
      target.save();
      setState('idle');
    } catch {
      await target.discard().catch(() => undefined);
      setState('broken');
    }
  };
  return (
    <>
      <button
        type="button"
        // Not disabled while busy, so that it keeps the focus.
        aria-disabled={state === 'busy'}
        onClick={() => {
          if (state !== 'busy') void save().catch(() => setState('broken'));
        }}
      >
        {texts.performance.csv}
      </button>
      {state === 'broken' && (
        <p className="fault" role="alert">
          {texts.download.broken(file)}
        </p>
      )}
    </>
  );
}
