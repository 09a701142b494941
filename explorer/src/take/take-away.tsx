/** The question as a file, and as what asks it elsewhere. */

import { useState } from 'react';
import type { Formats } from '../formats.ts';
import { ErrorNotice } from '../notice.tsx';
import { useReader } from '../reader.tsx';
import { Sheet } from '../sheet.tsx';
import type { Texts } from '../texts/texts.ts';
import { DOWNLOAD_NAMES, type DownloadName } from './download-formats.ts';
import { Elsewhere } from './elsewhere.tsx';
import { type DownloadState, type RunningDownload, useDownload } from './use-download.ts';

/** A download goes on while its sheet is closed; the button tells how far it is. */
interface TakeAwayProps {
  /** Undefined as long as it is not known. */
  readonly count: number | undefined;
}

export function TakeAway({ count }: TakeAwayProps) {
  const { texts } = useReader();
  const [isOpen, setOpen] = useState(false);
  const download = useDownload(count);
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        <DownloadLabel state={download.state} />
      </button>
      {isOpen && (
        <Sheet title={texts.take.title} close={() => setOpen(false)}>
          <Download count={count} download={download} />
          <Elsewhere />
        </Sheet>
      )}
    </>
  );
}

function DownloadLabel({ state }: { readonly state: DownloadState }) {
  const { texts, formats } = useReader();
  if (state.is === 'broken') return texts.take.brokenLabel;
  if (state.is !== 'running') return texts.take.download;
  const { part, bytes } = state;
  return texts.take.runningLabel(part === undefined ? formats.bytes(bytes) : formats.whole(part));
}

interface DownloadProps extends TakeAwayProps {
  readonly download: RunningDownload;
}

function Download({ count, download: { state, start, cancel } }: DownloadProps) {
  const { texts, formats } = useReader();
  const [format, setFormat] = useState<DownloadName>('csv');
  const isRunning = state.is === 'running';
  return (
    <>
      <p className="soft">{introOf(count, texts, formats)}</p>
      <fieldset className="choices" disabled={isRunning}>
        <legend className="hidden">{texts.take.download}</legend>
        {DOWNLOAD_NAMES.map((name) => (
          <label key={name} className="choice">
            <input
              type="radio"
              name="format"
              checked={format === name}
              onChange={() => setFormat(name)}
            />
            <strong>{texts.take.formats[name][0]}</strong>
            <span className="soft small">{texts.take.formats[name][1]}</span>
          </label>
        ))}
      </fieldset>
      {isRunning ? (
        <button type="button" className="wide" onClick={cancel}>
          {texts.take.cancel}
        </button>
      ) : (
        <button
          type="button"
          className="wide primary"
          disabled={count === 0}
          onClick={() => void start(format)}
        >
          {texts.take.start}
        </button>
      )}
      <Outcome state={state} again={() => void start(format)} />
    </>
  );
}

function introOf(count: number | undefined, { take }: Texts, formats: Formats): string {
  if (count === undefined) return take.introUnknown;
  return count === 0 ? take.nothing : take.intro(count, formats.count(count));
}

interface OutcomeProps {
  readonly state: DownloadState;
  again(): void;
}

function Outcome({ state, again }: OutcomeProps) {
  const { texts, formats } = useReader();
  const { take } = texts;
  switch (state.is) {
    case 'idle':
      return null;
    case 'running':
      return (
        <div className="going">
          <progress aria-label={take.progress} value={state.part} />
          <p className="small soft">
            {take.running(formats.bytes(state.bytes), formats.bytes(Math.round(state.speed)))}
          </p>
        </div>
      );
    case 'done':
      return (
        <p className="note good" role="status">
          {take.done(formats.bytes(state.bytes), state.name)}
        </p>
      );
    case 'cancelled':
      return (
        <p className="note" role="status">
          {take.cancelled}
        </p>
      );
    case 'broken':
      return (
        <div className="notice" role="alert">
          <p>
            <strong>{take.broken}</strong>
          </p>
          <button type="button" onClick={again}>
            {texts.again}
          </button>
        </div>
      );
    case 'refused':
      return <ErrorNotice error={state.error} again={again} />;
  }
}
