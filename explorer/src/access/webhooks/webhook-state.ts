/** Badge, name and lateness of a webhook, and which webhooks have stopped. */

import type { ManagedWebhook } from '../../../../client/src/index.ts';
import { assertNever } from '../../../../src/contract/assert-never.ts';
import { isStopped } from '../../../../src/contract/webhooks/webhook-states.ts';
import type { LocaleFormats } from '../../ui/formats.ts';

/** The style of the badge. */
export function badgeOf({ state }: ManagedWebhook): 'badge good' | 'badge soon' | 'badge expired' {
  switch (state) {
    case 'active':
      return 'badge good';
    case 'retrying':
    case 'paused':
      return 'badge soon';
    case 'failing':
    case 'receiver_gone':
    case 'changes_expired':
    case 'creator_revoked':
      return 'badge expired';
    default:
      return assertNever(state);
  }
}

export const nameOf = ({ name, url }: Pick<ManagedWebhook, 'name' | 'url'>): string =>
  name ?? ((URL.canParse(url) && new URL(url).host) || url);

export const stoppedIn = (
  webhooks: readonly ManagedWebhook[] | undefined,
): readonly ManagedWebhook[] => webhooks?.filter(({ state }) => isStopped(state)) ?? [];

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far behind a webhook is, such as "2 hours". Undefined if nothing has waited for a minute. */
export function lateness(
  { waiting_since: since }: Pick<ManagedWebhook, 'waiting_since'>,
  { tag }: Pick<LocaleFormats, 'tag'>,
  now: number,
): string | undefined {
  const late = since === null ? 0 : now - Date.parse(since);
  const [unit, length] = UNITS.find(([, each]) => late >= each) ?? [];
  if (unit === undefined || length === undefined) return undefined;
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(tag, options).format(Math.floor(late / length));
}
