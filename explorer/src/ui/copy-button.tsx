/** A button that copies a text, and says that it has, or why it could not. */

import { type ReactNode, useEffect, useState } from 'react';
import { useReader } from '../layout/reader-context.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

type DownloadProgress = 'copied' | 'failed';

/** Milliseconds for which it says so: a word, or a sentence. */
const SAID: Readonly<Record<DownloadProgress, number>> = { copied: 2000, failed: 10_000 };

export function CopyButton({ text, label, isDisabled = false, children }: CopyButtonProps) {
  const { texts } = useReader();
  const [outcome, setOutcome] = useState<DownloadProgress>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SAID[outcome]);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Not there on plain HTTP.
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  };
  const copied = outcome === 'copied' ? texts.copied : undefined;
  return (
    <>
      <button
        type="button"
        className={children === undefined ? 'quiet small copy' : undefined}
        aria-label={children === undefined ? label : undefined}
        disabled={isDisabled}
        onClick={copy}
      >
        {copied ?? children ?? texts.copy}
        <span className="hidden" aria-live="polite">
          {copied}
        </span>
      </button>
      {outcome === 'failed' && (
        <span className="failed-copy small" role="alert">
          {texts.take.failedCopy}
        </span>
      )}
    </>
  );
}
