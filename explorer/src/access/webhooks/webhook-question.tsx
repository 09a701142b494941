/** Question before a change of a webhook, in which the safe answer has the focus. */

import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';

interface WebhookQuestionProps {
  readonly question: string;
  readonly answer: string;
  readonly isDangerous?: boolean;
  /** Whether another change is running, so that the answer has to wait. */
  readonly isBusy: boolean;
  /** Shown between the question and the answers. */
  readonly children?: ReactNode;
  accept(): void;
  cancel(): void;
}

export function WebhookQuestion(props: WebhookQuestionProps) {
  const { question, answer, isDangerous = false, isBusy, children, accept, cancel } = props;
  const { texts } = useLocalization();
  const safe = useRef<HTMLButtonElement>(null);
  // The question gives the focus back to the button that asked it, unless another question has taken it.
  useEffect(() => {
    const { activeElement: asking } = document;
    safe.current?.focus();
    return () => {
      const isFree = document.activeElement === document.body;
      if (isFree && asking instanceof HTMLElement) asking.focus();
    };
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) accept();
  };
  return (
    <div role="alert">
      <form className="webhook-question" onSubmit={submit}>
        <p>{question}</p>
        {children}
        <div className="token-actions">
          <button
            type="submit"
            className={isDangerous ? 'danger' : undefined}
            aria-disabled={isBusy}
          >
            {answer}
          </button>
          <button ref={safe} type="button" onClick={cancel}>
            {texts.tokens.cancel}
          </button>
        </div>
      </form>
    </div>
  );
}
