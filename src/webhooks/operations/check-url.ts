/**
 * Checks the URL of a new webhook.
 *
 * The addresses to which its host resolves are checked later, for each connection.
 */

import { MAX_WEBHOOK_URL } from '../../contract/webhooks/webhook-limits.ts';
import type { Network } from '../sending/address-guard.ts';
import { ForbiddenAddress, refuseForbiddenHost, resolveName } from '../sending/resolve-host.ts';
import { WebhookRefused } from './webhook-refused.ts';

const EXAMPLE =
  'transactions webhook add https://example.com/webhook --role affiliate --publisher 345';

export function checkUrl(text: string, allowed: readonly Network[]): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > MAX_WEBHOOK_URL) {
    throw refused('The webhook needs a URL that begins with https://.');
  }
  if (url.protocol === 'http:' && allowed.length === 0) {
    throw refused(
      'The URL must begin with https://. Without encryption, only networks of WEBHOOK_ALLOWED_NETWORKS are allowed.',
    );
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw refused('The URL must have no user name, password or fragment.');
  }
  try {
    const isEncrypted = url.protocol === 'https:';
    refuseForbiddenHost(url.hostname, { isEncrypted, allowed, resolve: resolveName });
  } catch (cause) {
    if (!(cause instanceof ForbiddenAddress)) throw cause;
    throw new WebhookRefused(
      'url',
      url.protocol === 'https:'
        ? `The address ${url.hostname} is not public.`
        : `Without encryption, messages are delivered only to networks of WEBHOOK_ALLOWED_NETWORKS, and ${url.hostname} is in none of them.`,
      'To allow this address, set its network in the environment of the service and, with a ClickHouse server, of this command, such as WEBHOOK_ALLOWED_NETWORKS=10.1.2.0/24',
      { cause },
    );
  }
}

const refused = (message: string): WebhookRefused => new WebhookRefused('url', message, EXAMPLE);
