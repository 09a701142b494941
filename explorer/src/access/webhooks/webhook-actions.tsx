/** Buttons that test, pause, resume, replay or remove a webhook, or rotate its secret. */

import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ManagedWebhook } from '../../../../client/src/index.ts';
import { isStopped } from '../../../../src/contract/webhooks/webhook-states.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useWebhookChange, type WebhookEvents } from './use-webhook-change.ts';
import { WebhookError } from './webhook-error.tsx';
import { WebhookQuestion } from './webhook-question.tsx';
import { nameOf } from './webhook-state.ts';

interface WebhookActionsProps extends WebhookEvents {
  readonly webhook: ManagedWebhook;
}

/** Changes that the page asks about first. */
const QUESTIONS = ['replay', 'rotate', 'remove'] as const;

type Question = (typeof QUESTIONS)[number];

export function WebhookActions({ webhook, ...events }: WebhookActionsProps) {
  const { webhooks } = useLocalization().texts;
  const [question, setQuestion] = useState<Question>();
  const change = useWebhookChange(webhook.id, events);
  const { outcome, error, isBusy } = change;
  const name = nameOf(webhook);
  const rotate = useRef<HTMLButtonElement>(null);
  // The actions replace the focused button.
  const hideSecret = () => {
    flushSync(change.forget);
    rotate.current?.focus();
  };
  if (outcome?.secret !== undefined) {
    return (
      <ShownSecret title={webhooks.rotated(name)} secret={outcome.secret}>
        <button type="button" className="quiet" onClick={hideSecret}>
          {webhooks.done}
        </button>
      </ShownSecret>
    );
  }
  const ask = (next: Question) => {
    change.forget();
    setQuestion(next);
  };
  // `aria-disabled` instead of `disabled`, so that the button keeps the focus.
  const action = (act: () => void) => ({
    type: 'button' as const,
    className: 'small',
    'aria-disabled': isBusy,
    onClick: () => {
      if (!isBusy) act();
    },
  });
  const toggle = webhook.state === 'paused' || isStopped(webhook.state) ? 'resume' : 'pause';
  return (
    <>
      <fieldset className="token-actions">
        <legend className="hidden">{webhooks.actionsOf(name)}</legend>
        <button {...action(() => void change.test())}>{webhooks.test}</button>
        <button {...action(() => void change[toggle]())}>{webhooks[toggle]}</button>
        {QUESTIONS.map((one) => (
          <button key={one} ref={one === 'rotate' ? rotate : undefined} {...action(() => ask(one))}>
            {webhooks[one]}
          </button>
        ))}
      </fieldset>
      {question !== undefined && (
        <Asked
          key={question}
          question={question}
          name={name}
          isBusy={isBusy}
          cancel={() => setQuestion(undefined)}
          accept={(since) => {
            setQuestion(undefined);
            void change[question](since);
          }}
        />
      )}
      <p className="small" aria-live="polite">
        {isBusy ? webhooks.working : outcome?.tested}
      </p>
      {error !== undefined && <WebhookError error={error} />}
    </>
  );
}

interface AskedProps {
  readonly question: Question;
  readonly name: string;
  readonly isBusy: boolean;
  accept(since: string): void;
  cancel(): void;
}

function Asked({ question, name, isBusy, accept, cancel }: AskedProps) {
  const { webhooks } = useLocalization().texts;
  const [since, setSince] = useState('');
  const id = useId();
  return (
    <WebhookQuestion
      question={webhooks.questions[question](name)}
      answer={webhooks.answers[question]}
      isDangerous={question === 'remove'}
      isBusy={isBusy}
      accept={() => accept(since)}
      cancel={cancel}
    >
      {question === 'replay' && (
        <div className="webhook-since">
          <label htmlFor={id}>{webhooks.since}</label>
          <input
            id={id}
            type="datetime-local"
            required
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        </div>
      )}
    </WebhookQuestion>
  );
}
