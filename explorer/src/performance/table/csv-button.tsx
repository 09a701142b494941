/** Button that downloads the performance table as CSV for spreadsheets. */

import { useEffect, useRef, useState } from 'react';
import { ClientError } from '../../../../client/src/index.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { openTarget } from '../../export/download-target.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ApiQuery } from '../../query/api-query.ts';
import { endsAccess } from '../../service/error-messages.ts';
import { csvVariantOf } from '../../service/performance-csv.ts';
import { useRefetchAll } from '../../service/retry-requests.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { TableQuery } from './use-table.ts';

/** For example `performance_subid_2026-01-01_2026-01-31.csv`. */
export const csvNameOf = ({ group_by, start_date, end_date }: ApiQuery): string =>
  `performance_${group_by}_${start_date}_${end_date}.csv`;

interface Failure {
  /** The file that was requested, which may be of another tab or period than the button's. */
  readonly file: string;
  /** Undefined if the download broke after the service had accepted it. */
  readonly refused?: ClientError;
}

export function CsvButton({ table: { query } }: { readonly table: TableQuery }) {
  const { texts, formats } = useLocalization();
  const { service } = useExplorer();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const refetchAll = useRefetchAll();
  const file = csvNameOf(query);
  const running = useRef<AbortController>(undefined);
  // Also when the user signs out.
  useEffect(() => () => running.current?.abort(), []);
  const save = async (signal: AbortSignal) => {
    const target = await openTarget(file, 'text/csv');
    if (target === undefined) return;
    setFailure(undefined);
    setBusy(true);
    try {
      const csv = await service.performanceCsv(query, csvVariantOf(formats.tag), signal);
      await csv.pipeTo(target.stream, { signal });
      target.save();
    } catch (error) {
      // An open stream keeps the file from being removed.
      await target.stream.abort(error).catch(() => undefined);
      await target.discard().catch(() => undefined);
      // The requests of the page then end the sign-in.
      if (endsAccess(error)) refetchAll();
      setFailure(error instanceof ClientError ? { file, refused: error } : { file });
    } finally {
      setBusy(false);
    }
  };
  const start = async () => {
    // The second click of a double click comes before the page shows that a download runs.
    if (running.current !== undefined) return;
    running.current = new AbortController();
    await save(running.current.signal).catch(() => setFailure({ file }));
    running.current = undefined;
  };
  return (
    <>
      <button
        type="button"
        // Not disabled while busy, so that it keeps the focus.
        aria-disabled={isBusy}
        onClick={() => void start()}
      >
        {texts.performance.csv}
      </button>
      {failure?.refused && <ErrorNotice error={failure.refused} about={failure.file} />}
      {failure && !failure.refused && (
        <p className="fault" role="alert">
          {texts.download.broken(failure.file)}
        </p>
      )}
    </>
  );
}
