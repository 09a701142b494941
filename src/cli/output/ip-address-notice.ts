/** Warns operators if a change of IP_ADDRESSES is unfinished, or if affiliates receive full IP addresses. */

import { addressVisibilityText } from '../../contract/record/address-visibility.ts';
import type { Database } from '../../database/open-database.ts';

type Shown = Database['addresses'];

export const HOW_TO_FINISH = 'Finish it: transactions migrate';

/** Undefined if there is nothing to do. */
export function ipAddressNotice({ visibility, isPending }: Shown): string | undefined {
  if (isPending) return `${unfinishedChangeText(visibility)} ${HOW_TO_FINISH}`;
  if (visibility.affiliate !== 'full') return undefined;
  return 'Affiliates receive the full IP addresses of visitors, which are personal data. To show them only the network, set IP_ADDRESSES="affiliate=masked" and run: transactions migrate';
}

export const unfinishedChangeText = (visibility: Shown['visibility']): string =>
  `A change of IP_ADDRESSES to ${addressVisibilityText(visibility)} is not finished, so some records may still show addresses as before.`;
