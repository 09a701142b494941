/** A download as it goes: how much has come, how quickly, and how it ended. */

import { useEffect, useRef, useState } from 'react';
import { ConnectionCut } from '../../../client/src/index.ts';
import { useAsker } from '../asker.tsx';
import { type DownloadName, downloadFormat, fileNameOf } from './download-formats.ts';
import { paceOf } from './pace.ts';
import { openTarget } from './target.ts';

export interface Going {
  readonly bytes: number;
  /** Bytes a second. */
  readonly speed: number;
  /** From 0 to 1, where that can be known. */
  readonly part: number | undefined;
}

export type DownloadState =
  | { readonly is: 'idle' | 'cancelled' }
  | ({ readonly is: 'running' } & Going)
  | { readonly is: 'done'; readonly bytes: number; readonly name: string }
  | { readonly is: 'broken' }
  | { readonly is: 'refused'; readonly error: unknown };

export interface RunningDownload {
  readonly state: DownloadState;
  start(name: DownloadName): Promise<void>;
  cancel(): void;
}

/** One download at a time, of the question at its start; it goes on whatever is asked meanwhile. */
export function useDownload(count: number | undefined): RunningDownload {
  const { service, view, question } = useAsker();
  const [state, setState] = useState<DownloadState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useStaying(state.is === 'running');
  const start = async (name: DownloadName) => {
    const format = downloadFormat(name);
    const file = fileNameOf(question, format);
    running.current = new AbortController();
    const { signal } = running.current;
    const target = await openTarget(file, format.mediaType);
    if (target === undefined) return;
    const tell = (going: Going) => setState({ is: 'running', ...going });
    const pace = paceOf(format.isLines ? count : undefined, tell);
    try {
      const asked = { ...question, order: view.order, ...format.parameters };
      const onProgress = ({ total }: { readonly total?: number }) => pace.expect(total);
      const stream = pace.through(target.stream);
      const { bytes } = await service.transactions.download(asked, stream, { signal, onProgress });
      target.save();
      setState({ is: 'done', bytes, name: file });
    } catch (error) {
      // Nothing of it is in the file; that an empty one cannot be removed changes nothing about that.
      await target.discard().catch(() => undefined);
      setState(endOf(error, signal, pace.hasBegun()));
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}

function endOf(error: unknown, signal: AbortSignal, hasBegun: boolean): DownloadState {
  if (signal.aborted) return { is: 'cancelled' };
  return hasBegun || error instanceof ConnectionCut ? { is: 'broken' } : { is: 'refused', error };
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
