/** A button that copies a text, and says that it has. */

import { type ReactNode, useEffect, useState } from 'react';
import { useReader } from './reader.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

/** Milliseconds for which it says so. */
const SAID = 2000;

export function CopyButton({ text, label, isDisabled = false, children }: CopyButtonProps) {
  const { texts } = useReader();
  const [outcome, setOutcome] = useState<string>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SAID);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome(texts.copied);
    } catch {
      setOutcome(texts.take.failedCopy);
    }
  };
  return (
    <button
      type="button"
      className={children === undefined ? 'quiet small copy' : undefined}
      aria-label={children === undefined ? label : undefined}
      disabled={isDisabled}
      onClick={copy}
    >
      {outcome ?? children ?? texts.copy}
      <span className="hidden" aria-live="polite">
        {outcome}
      </span>
    </button>
  );
}
