/** Export button and sheet: downloads in every format, and the query as URL, command and code. */

import { useRef, useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { sortOfView } from '../table/list-sort.ts';
import type { Texts } from '../texts/texts.ts';
import type { LocaleFormats } from '../ui/formats.ts';
import { Sheet } from '../ui/sheet.tsx';
import { ApiAccess } from './api-access.tsx';
import { DOWNLOAD_NAMES, type DownloadName } from './download-formats.ts';
import { DownloadProgress } from './download-progress.tsx';
import {
  type DownloadControls,
  type DownloadRequest,
  type DownloadState,
  useDownload,
} from './use-download.ts';

interface ExportSheetProps {
  /** The number of rows; undefined until it is known. */
  readonly count: number | undefined;
}

/** A download continues while the sheet is closed, and the button shows its progress. */
export function ExportSheet({ count }: ExportSheetProps) {
  const { texts } = useLocalization();
  const [isOpen, setOpen] = useState(false);
  const [format, choose] = useState<DownloadName>('csv');
  const download = useDownload(count);
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        <DownloadLabel state={download.state} />
      </button>
      {isOpen && (
        <Sheet title={texts.download.title} close={() => setOpen(false)}>
          <Download count={count} download={download} format={format} choose={choose} />
          <ApiAccess />
        </Sheet>
      )}
    </>
  );
}

function DownloadLabel({ state }: { readonly state: DownloadState }) {
  const { texts, formats } = useLocalization();
  if (state.status === 'broken' || state.status === 'refused' || state.status === 'unwritable') {
    return texts.download.brokenLabel;
  }
  if (state.status !== 'running') return texts.download.download;
  const { fraction, bytes } = state;
  return texts.download.runningLabel(
    fraction === undefined ? formats.bytes(bytes) : formats.whole(fraction),
  );
}

interface DownloadProps extends ExportSheetProps {
  readonly download: DownloadControls;
  readonly format: DownloadName;
  choose(format: DownloadName): void;
}

function Download({ count, download, format, choose }: DownloadProps) {
  const { texts, formats } = useLocalization();
  const { service, view } = useExplorer();
  const button = useRef<HTMLButtonElement>(null);
  const { state, start } = download;
  const isSorted = sortOfView(service.role, view) !== undefined;
  const isBusy = state.status === 'running' || state.status === 'choosing';
  // "Cancel" or "Try again" has the focus and disappears, so the focus moves to the download button.
  const cancel = () => {
    button.current?.focus();
    download.cancel();
  };
  const retry = (request: DownloadRequest) => {
    button.current?.focus();
    choose(request.format);
    void download.retry(request);
  };
  return (
    <>
      <p className="soft">{introOf(count, texts, formats)}</p>
      {isSorted && <p className="soft small">{texts.download.byDate}</p>}
      <FormatChoice isDisabled={isBusy} format={format} choose={choose} />
      <button
        ref={button}
        type="button"
        className="wide primary"
        disabled={count === 0 && !isBusy}
        // Not disabled while busy, so that it keeps the focus.
        aria-disabled={isBusy}
        // Ignores the second click of a double click, which would download a small file again.
        onClick={({ detail }) => {
          if (detail < 2) void start(format);
        }}
      >
        {texts.download.start}
      </button>
      <DownloadProgress state={state} cancel={cancel} retry={retry} />
    </>
  );
}

interface FormatChoiceProps extends Pick<DownloadProps, 'format' | 'choose'> {
  readonly isDisabled: boolean;
}

function FormatChoice({ isDisabled, format, choose }: FormatChoiceProps) {
  const { download: take } = useLocalization().texts;
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

function introOf(
  count: number | undefined,
  { download: take }: Texts,
  formats: LocaleFormats,
): string {
  if (count === undefined) return take.introUnknown;
  return count === 0 ? take.nothing : take.intro(count, formats.count(count));
}
