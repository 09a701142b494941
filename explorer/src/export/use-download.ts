/** A download as it goes: how much has come, how quickly, and how it ended. */

import { useEffect, useRef, useState } from 'react';
import { ConnectionCut } from '../../../client/src/index.ts';
import { useAccess } from '../access/access-context.tsx';
import type { Question } from '../query/question.ts';
import { endsAccess } from '../service/error-messages.ts';
import type { Service } from '../service/service.ts';
import { type DownloadName, downloadFormat, fileNameOf } from './download-formats.ts';
import { downloadRateOf } from './download-rate.ts';
import { openTarget, type Target } from './download-target.ts';

export interface Going {
  readonly bytes: number;
  /** Bytes a second. */
  readonly speed: number;
  /** From 0 to 1, where that can be known. */
  readonly part: number | undefined;
}

/** What is taken away, whatever the page asks meanwhile. */
export interface Wanted {
  readonly format: DownloadName;
  /** With its order. */
  readonly question: Question;
  /** Its rows, where they were known. */
  readonly count: number | undefined;
  readonly file: string;
}

export type DownloadState =
  | { readonly is: 'idle' | 'choosing' | 'cancelled' }
  | ({ readonly is: 'running'; readonly file: string } & Going)
  | { readonly is: 'done'; readonly file: string; readonly bytes: number }
  | { readonly is: 'broken' | 'unwritable'; readonly wanted: Wanted }
  | { readonly is: 'refused'; readonly wanted: Wanted; readonly error: unknown };

export interface RunningDownload {
  readonly state: DownloadState;
  start(format: DownloadName): Promise<void>;
  again(wanted: Wanted): Promise<void>;
  cancel(): void;
}

/** One download at a time, of the question at its start; it goes on whatever is asked meanwhile. */
export function useDownload(count: number | undefined): RunningDownload {
  const { service, view, question } = useAccess();
  const [state, setState] = useState<DownloadState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useStaying(state.is === 'running');
  const again = async (wanted: Wanted) => {
    // The second click of a double click comes before the page shows what the first began.
    if (running.current !== undefined) return;
    running.current = new AbortController();
    setState({ is: 'choosing' });
    setState(await taken(wanted, service, running.current.signal, setState));
    running.current = undefined;
  };
  const start = async (format: DownloadName) => {
    const file = fileNameOf(question, downloadFormat(format));
    await again({ format, question: { ...question, order: view.order }, count, file });
  };
  return { state, start, again, cancel: () => running.current?.abort() };
}

type Tell = (state: DownloadState) => void;

async function taken(
  wanted: Wanted,
  service: Service,
  signal: AbortSignal,
  tell: Tell,
): Promise<DownloadState> {
  const { mediaType } = downloadFormat(wanted.format);
  let target: Target | undefined;
  try {
    target = await openTarget(wanted.file, mediaType);
  } catch {
    return { is: 'unwritable', wanted };
  }
  return target === undefined
    ? { is: 'idle' }
    : await filled(target, wanted, service, signal, tell);
}

async function filled(
  target: Target,
  wanted: Wanted,
  { transactions }: Service,
  signal: AbortSignal,
  tell: Tell,
): Promise<DownloadState> {
  const { file, question, count } = wanted;
  const { isLines, parameters } = downloadFormat(wanted.format);
  const pace = downloadRateOf(isLines ? count : undefined, (going) =>
    tell({ is: 'running', file, ...going }),
  );
  try {
    const asked = { ...question, ...parameters };
    const onProgress = ({ total }: { readonly total?: number }) => pace.expect(total);
    const stream = pace.through(target.stream);
    const { bytes } = await transactions.download(asked, stream, { signal, onProgress });
    target.save();
    return { is: 'done', file, bytes };
  } catch (error) {
    // Nothing of it is in the file; that an empty one cannot be removed changes nothing about that.
    await target.discard().catch(() => undefined);
    if (signal.aborted) return { is: 'cancelled' };
    const isBroken = error instanceof ConnectionCut || pace.hasBegun();
    return isBroken && !endsAccess(error)
      ? { is: 'broken', wanted }
      : { is: 'refused', wanted, error };
  }
}

/** The browser asks whoever is about to leave the page whether they mean it. */
function useStaying(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
