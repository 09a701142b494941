/** Announces webhooks that the service has stopped, to those who may manage them. */

import { useState } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { LazyAccessSheet } from '../lazy-access-sheet.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { nameOf, stoppedIn } from './webhook-state.ts';

export function StoppedWebhooks() {
  const { webhooks } = useLocalization().texts;
  const [isOpen, setOpen] = useState(false);
  const stopped = stoppedIn(useWebhooks().data);
  if (stopped.length === 0 && !isOpen) return null;
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
      {isOpen && <LazyAccessSheet first="webhooks" close={() => setOpen(false)} />}
    </>
  );
}
