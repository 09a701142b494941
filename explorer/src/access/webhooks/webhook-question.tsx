/** Question before a change of a webhook, in which the safe answer has the focus. */

import { type ReactNode, useEffect, useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';

interface WebhookQuestionProps {
  readonly question: string;
  readonly answer: string;
  readonly isDangerous?: boolean;
  /** Shown between the question and the answers. */
  readonly children?: ReactNode;
  accept(): void;
  cancel(): void;
}

export function WebhookQuestion(props: WebhookQuestionProps) {
  const { question, answer, isDangerous = false, children, accept, cancel } = props;
  const { texts } = useLocalization();
  const safe = useRef<HTMLButtonElement>(null);
  // The question gives the focus back to the button that asked it.
  useEffect(() => {
    const { activeElement: asking } = document;
    safe.current?.focus();
    return () => {
      if (asking instanceof HTMLElement) asking.focus();
    };
  }, []);
  return (
    <div className="webhook-question" role="alert">
      <p>{question}</p>
      {children}
      <div className="token-actions">
        <button type="button" className={isDangerous ? 'danger' : undefined} onClick={accept}>
          {answer}
        </button>
        <button ref={safe} type="button" onClick={cancel}>
          {texts.tokens.cancel}
        </button>
      </div>
    </div>
  );
}
