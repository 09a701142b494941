/** React hook for one download at a time: state, start, retry and cancel. */

import { useEffect, useRef, useState } from 'react';
import { ConnectionCut } from '../../../client/src/index.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import type { ApiQuery } from '../query/api-query.ts';
import { endsAccess } from '../service/error-messages.ts';
import type { Service } from '../service/service.ts';
import { type DownloadName, downloadFormat, fileNameOf } from './download-formats.ts';
import { downloadMeterOf, type TransferProgress } from './download-meter.ts';
import { openTarget, type Target } from './download-target.ts';

/** A download, which later changes of the query do not affect. */
export interface DownloadRequest {
  readonly format: DownloadName;
  /** Includes the order. */
  readonly query: ApiQuery;
  /** The number of rows, if known. */
  readonly count: number | undefined;
  readonly file: string;
}

export type DownloadState =
  | { readonly status: 'idle' | 'choosing' | 'cancelled' }
  | ({ readonly status: 'running'; readonly file: string } & TransferProgress)
  | { readonly status: 'done'; readonly file: string; readonly bytes: number }
  | { readonly status: 'broken' | 'unwritable'; readonly request: DownloadRequest }
  | { readonly status: 'refused'; readonly request: DownloadRequest; readonly error: unknown };

export interface DownloadControls {
  readonly state: DownloadState;
  start(format: DownloadName): Promise<void>;
  retry(request: DownloadRequest): Promise<void>;
  cancel(): void;
}

/** `count` is the number of rows of the current query, if known. */
export function useDownload(count: number | undefined): DownloadControls {
  const { service, view, query } = useExplorer();
  const [state, setState] = useState<DownloadState>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useConfirmLeave(state.status === 'running');
  const run = async (request: DownloadRequest) => {
    // The second click of a double click comes before the page shows that a download runs.
    if (running.current !== undefined) return;
    running.current = new AbortController();
    setState({ status: 'choosing' });
    setState(await saveToTarget(request, service, running.current.signal, setState));
    running.current = undefined;
  };
  const start = async (format: DownloadName) => {
    const file = fileNameOf(query, downloadFormat(format));
    await run({ format, query: { ...query, order: view.order }, count, file });
  };
  return { state, start, retry: run, cancel: () => running.current?.abort() };
}

type Report = (state: DownloadState) => void;

async function saveToTarget(
  request: DownloadRequest,
  service: Service,
  signal: AbortSignal,
  report: Report,
): Promise<DownloadState> {
  const { mediaType } = downloadFormat(request.format);
  let target: Target | undefined;
  try {
    target = await openTarget(request.file, mediaType);
  } catch {
    return { status: 'unwritable', request };
  }
  return target === undefined
    ? { status: 'idle' }
    : await transfer(target, request, service, signal, report);
}

async function transfer(
  target: Target,
  request: DownloadRequest,
  { transactions }: Service,
  signal: AbortSignal,
  report: Report,
): Promise<DownloadState> {
  const { file, query, count } = request;
  const { isLines, parameters } = downloadFormat(request.format);
  const rate = downloadMeterOf(isLines ? count : undefined, (progress) =>
    report({ status: 'running', file, ...progress }),
  );
  try {
    const allParameters = { ...query, ...parameters };
    const onProgress = ({ total }: { readonly total?: number }) => rate.setTotal(total);
    const stream = rate.counting(target.stream);
    const { bytes } = await transactions.download(allParameters, stream, { signal, onProgress });
    target.save();
    return { status: 'done', file, bytes };
  } catch (error) {
    // If the file cannot be discarded, at most an empty file remains.
    await target.discard().catch(() => undefined);
    if (signal.aborted) return { status: 'cancelled' };
    const isBroken = error instanceof ConnectionCut || rate.hasStarted();
    return isBroken && !endsAccess(error)
      ? { status: 'broken', request }
      : { status: 'refused', request, error };
  }
}

/** Lets the browser ask for confirmation before the page is closed. */
function useConfirmLeave(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
