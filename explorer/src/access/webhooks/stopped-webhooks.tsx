/** Announces webhooks that the service has stopped, to those who may manage them. */

import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocalization } from '../../layout/localization-context.tsx';
import { focusList } from '../../service/retry-requests.ts';
import { LazyAccessSheet } from '../lazy-access-sheet.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { nameOf, stoppedIn } from './webhook-state.ts';

export function StoppedWebhooks() {
  const { webhooks } = useLocalization().texts;
  const [isOpen, setOpen] = useState(false);
  const stopped = stoppedIn(useWebhooks().data);
  if (stopped.length === 0 && !isOpen) return null;
  const close = () => {
    flushSync(() => setOpen(false));
    // The button that opened the sheet has disappeared with the notice.
    if (stopped.length === 0) focusList();
  };
  return (
    <>
      {stopped.length > 0 && (
        <section className="notice" aria-label={webhooks.stoppedTitle}>
          <p>
            <strong>{webhooks.stoppedTitle}</strong> {stopped.map(nameOf).join(', ')}.{' '}
            {webhooks.stoppedNext}
          </p>
          <button type="button" onClick={() => setOpen(true)}>
            {webhooks.see}
          </button>
        </section>
      )}
      {isOpen && <LazyAccessSheet first="webhooks" close={close} />}
    </>
  );
}
