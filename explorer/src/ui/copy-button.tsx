/** Button that copies a text to the clipboard and reports success or failure. */

import { type ReactNode, useEffect, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

type CopyOutcome = 'copied' | 'failed';

/** Milliseconds for which the outcome is shown. */
const SHOWN_FOR: Readonly<Record<CopyOutcome, number>> = { copied: 2000, failed: 10_000 };

export function CopyButton({ text, label, isDisabled = false, children }: CopyButtonProps) {
  const { texts } = useLocalization();
  const [outcome, setOutcome] = useState<CopyOutcome>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_FOR[outcome]);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Over plain HTTP, browsers have no clipboard API.
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
          {texts.download.failedCopy}
        </span>
      )}
    </>
  );
}
