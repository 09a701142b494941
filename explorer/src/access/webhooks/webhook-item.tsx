/** A webhook in the list: its state, what it delivers, and what can be done with it. */

import type { ManagedWebhook } from '../../../../client/src/index.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { useCreator } from '../tokens/use-creator.ts';
import type { WebhookEvents } from './use-webhook-change.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { badgeOf, lateness, nameOf } from './webhook-state.ts';

interface WebhookItemProps extends WebhookEvents {
  readonly webhook: ManagedWebhook;
}

export function WebhookItem({ webhook, ...events }: WebhookItemProps) {
  const { texts } = useLocalization();
  return (
    <li className="webhook">
      <div className="token-head">
        <strong>
          <bdi>{nameOf(webhook)}</bdi>
        </strong>
        <span className={badgeOf(webhook)}>{texts.webhooks.states[webhook.state]}</span>
        <span className="badge">{texts.account[webhook.role]}</span>
      </div>
      <p className="small url">{webhook.url}</p>
      <p>{useScope(webhook)}</p>
      <DeliveryFacts webhook={webhook} />
      <WebhookActions webhook={webhook} {...events} />
    </li>
  );
}

/** What a webhook delivers. */
function useScope({ types, publisher_ids, program_ids }: ManagedWebhook): string {
  const { kinds, tokens } = useLocalization().texts;
  return [
    types.map((type) => kinds[type]).join(', '),
    publisher_ids === 'all' ? undefined : tokens.ofPublishers(publisher_ids.join(', ')),
    program_ids === 'all' ? undefined : tokens.ofPrograms(program_ids.join(', ')),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function DeliveryFacts({ webhook }: { readonly webhook: ManagedWebhook }) {
  const { texts, formats } = useLocalization();
  const { webhooks } = texts;
  const { time_zone: zone } = useExplorer().service.me;
  const { delivered_at, failing_since, retry_at, error, created_at } = webhook;
  const creator = useCreator(webhook.created_by);
  const [day] = formats.clock(Date.parse(created_at), zone);
  const at = (instant: string) => formats.clock(Date.parse(instant), zone).join(', ');
  const late = lateness(webhook, formats, Date.now());
  const facts = [
    creator === undefined ? undefined : `${webhooks.addedOn(day)} ${creator}`,
    delivered_at === null ? webhooks.neverDelivered : webhooks.lastDelivery(at(delivered_at)),
    late === undefined ? undefined : webhooks.behind(late),
  ].filter((fact) => fact !== undefined);
  return (
    <>
      <p className="soft small">{facts.join(' · ')}</p>
      {failing_since !== null && (
        <p className="small">
          {webhooks.failingSince(at(failing_since))}
          {error !== null && (
            <>
              {' '}
              <code>{error}</code>
            </>
          )}
        </p>
      )}
      {webhook.state === 'retrying' && retry_at !== null && (
        <p className="soft small">{webhooks.nextAttempt(at(retry_at))}</p>
      )}
    </>
  );
}
