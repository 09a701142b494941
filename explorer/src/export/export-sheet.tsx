/** The question as a file, and as what asks it elsewhere. */

import { useRef, useState } from 'react';
import { useReader } from '../layout/reader-context.tsx';
import type { Texts } from '../texts/texts.ts';
import type { Formats } from '../ui/formats.ts';
import { Sheet } from '../ui/sheet.tsx';
import { ApiAccess } from './api-access.tsx';
import { DOWNLOAD_NAMES, type DownloadName } from './download-formats.ts';
import { DownloadProgress } from './download-progress.tsx';
import {
  type DownloadState,
  type RunningDownload,
  useDownload,
  type Wanted,
} from './use-download.ts';

/** A download goes on while its sheet is closed; the button tells how far it is. */
interface TakeAwayProps {
  /** Undefined as long as it is not known. */
  readonly count: number | undefined;
}

export function ExportSheet({ count }: TakeAwayProps) {
  const { texts } = useReader();
  const [isOpen, setOpen] = useState(false);
  const [format, choose] = useState<DownloadName>('csv');
  const download = useDownload(count);
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        <DownloadLabel state={download.state} />
      </button>
      {isOpen && (
        <Sheet title={texts.take.title} close={() => setOpen(false)}>
          <Download count={count} download={download} format={format} choose={choose} />
          <ApiAccess />
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
  readonly format: DownloadName;
  choose(format: DownloadName): void;
}

function Download({ count, download, format, choose }: DownloadProps) {
  const { texts, formats } = useReader();
  const button = useRef<HTMLButtonElement>(null);
  const { state, start } = download;
  const isBusy = state.is === 'running' || state.is === 'choosing';
  // The buttons of an outcome go away with it.
  const cancel = () => {
    button.current?.focus();
    download.cancel();
  };
  const again = (wanted: Wanted) => {
    button.current?.focus();
    choose(wanted.format);
    void download.again(wanted);
  };
  return (
    <>
      <p className="soft">{introOf(count, texts, formats)}</p>
      <FormatChoice isDisabled={isBusy} format={format} choose={choose} />
      <button
        ref={button}
        type="button"
        className="wide primary"
        disabled={count === 0 && !isBusy}
        // In its place and focused while it has nothing to do.
        aria-disabled={isBusy}
        // A small file is complete before the second click of a double one.
        onClick={({ detail }) => {
          if (detail < 2) void start(format);
        }}
      >
        {texts.take.start}
      </button>
      <DownloadProgress state={state} cancel={cancel} again={again} />
    </>
  );
}

interface FormatChoiceProps extends Pick<DownloadProps, 'format' | 'choose'> {
  readonly isDisabled: boolean;
}

function FormatChoice({ isDisabled, format, choose }: FormatChoiceProps) {
  const { take } = useReader().texts;
  return (
    <fieldset className="choices" disabled={isDisabled}>
      <legend className="hidden">{take.download}</legend>
      {DOWNLOAD_NAMES.map((name) => (
        <label key={name} className="choice">
          <input
            type="radio"
            name="format"
            value={name}
            checked={format === name}
            onChange={() => choose(name)}
          />
          <strong>{take.formats[name][0]}</strong>
          <span className="soft small">{take.formats[name][1]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function introOf(count: number | undefined, { take }: Texts, formats: Formats): string {
  if (count === undefined) return take.introUnknown;
  return count === 0 ? take.nothing : take.intro(count, formats.count(count));
}
