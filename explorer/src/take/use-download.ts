/** A download as it goes: how much has come, how quickly, and how it ended. */

import { useEffect, useRef, useState } from 'react';
import { ConnectionCut, Unreachable } from '../../../client/src/index.ts';
import { useAsker } from '../asker.tsx';
import { type DownloadName, downloadFormat, fileNameOf } from './download-formats.ts';
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

/** Milliseconds between two looks at how far it is. */
const EVERY = 150;

export function useDownload(count: number) {
  const { service, view, question } = useAsker();
  const [state, setState] = useState<DownloadState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (name: DownloadName) => {
    const format = downloadFormat(name);
    const file = fileNameOf(question, format);
    const target = await openTarget(file, format.mediaType);
    if (target === undefined) return;
    running.current = new AbortController();
    const { signal } = running.current;
    const pace = paceOf(count, format.isLines, setState);
    try {
      const asked = { ...question, order: view.order, ...format.parameters };
      const stream = pace.through(target.stream);
      const { bytes } = await service.transactions.download(asked, stream, { signal });
      target.save();
      setState({ is: 'done', bytes, name: file });
    } catch (error) {
      setState(endOf(error, signal, pace.hasBegun()));
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}

function endOf(error: unknown, signal: AbortSignal, hasBegun: boolean): DownloadState {
  if (signal.aborted) return { is: 'cancelled' };
  const isCut = error instanceof ConnectionCut || (error instanceof Unreachable && hasBegun);
  return isCut || hasBegun ? { is: 'broken' } : { is: 'refused', error };
}

const LINE_END = 10;

/** Watches what goes through, and tells of it a few times a second. */
function paceOf(count: number, isLines: boolean, tell: (state: DownloadState) => void) {
  const started = performance.now();
  let bytes = 0;
  let lines = 0;
  let told = 0;
  const say = (now: number) => {
    told = now;
    const part = isLines && count > 0 ? Math.min(1, lines / count) : undefined;
    tell({ is: 'running', bytes, part, speed: (bytes * 1000) / Math.max(1, now - started) });
  };
  say(started);
  const through = (stream: WritableStream<Uint8Array>): WritableStream<Uint8Array> => {
    const writer = stream.getWriter();
    return new WritableStream<Uint8Array>({
      write: async (chunk) => {
        bytes += chunk.length;
        if (isLines) lines += linesIn(chunk);
        const now = performance.now();
        if (now - told > EVERY) say(now);
        await writer.write(chunk);
      },
      close: async () => await writer.close(),
      abort: async (reason) => await writer.abort(reason),
    });
  };
  return { through, hasBegun: () => bytes > 0 };
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  return lines;
}
