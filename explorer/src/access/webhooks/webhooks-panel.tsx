/** Panel in which administrators list, add and change webhooks. */

import { useRef, useState } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';
import { stoppedIn } from './webhook-state.ts';

export function WebhooksPanel() {
  const { texts } = useLocalization();
  const { webhooks } = texts;
  const { data, error, refetch } = useWebhooks(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const reload = async () => void (await refetch());
  // If a webhook has stopped, the list comes before the form, because the user probably looks for it.
  const [isListFirst] = useState(() => stoppedIn(data).length > 0);
  return (
    <>
      {!isListFirst && <AddWebhook onAdded={reload} />}
      <section className="tokens" aria-labelledby="webhooks-list">
        <h3 id="webhooks-list" ref={heading} tabIndex={-1}>
          {webhooks.existing}
        </h3>
        {error !== null && <ErrorNotice error={error} retry={() => void reload()} />}
        {data === undefined && error === null && <p className="soft">{texts.loading}</p>}
        {data?.length === 0 && <p className="soft">{webhooks.none}</p>}
        <ul>
          {data?.map((webhook) => (
            <WebhookItem
              key={webhook.id}
              webhook={webhook}
              onChanged={reload}
              // The webhook disappears with the focused button.
              onRemoved={() => heading.current?.focus()}
            />
          ))}
        </ul>
      </section>
      {isListFirst && <AddWebhook onAdded={reload} />}
    </>
  );
}

/** A webhook does not expire, so only a token that does not expire may add one. */
function AddWebhook({ onAdded }: { onAdded(): Promise<void> }) {
  const { texts, formats } = useLocalization();
  const { expires_at: end, time_zone: zone } = useExplorer().service.me;
  if (end === null) return <WebhookForm onAdded={onAdded} />;
  const [day] = formats.clock(Date.parse(end), zone);
  return <p className="note">{texts.webhooks.endlessOnly(day)}</p>;
}
