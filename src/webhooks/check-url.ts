/**
 * Checks the URL of a new webhook.
 *
 * The addresses of its host are checked for each connection.
 */

import { UserError } from '../user-error.ts';
import type { Network } from './sending/address-guard.ts';
import { ForbiddenAddress, refuseForbiddenHost, resolveName } from './sending/resolve-host.ts';

const EXAMPLE =
  'transactions webhook add https://example.com/webhook --role affiliate --publisher 345';

const LONGEST = 2000;

export function checkUrl(text: string, allowed: readonly Network[]): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > LONGEST) {
    throw new UserError('The webhook needs a URL that begins with https://.', EXAMPLE);
  }
  if (url.protocol === 'http:' && allowed.length === 0) {
    throw new UserError(
      'The URL must begin with https://. Without encryption, only networks of WEBHOOK_ALLOWED_NETWORKS are allowed.',
      EXAMPLE,
    );
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new UserError('The URL must have no user name, password or fragment.', EXAMPLE);
  }
  try {
    const isEncrypted = url.protocol === 'https:';
    refuseForbiddenHost(url.hostname, { isEncrypted, allowed, resolve: resolveName });
  } catch (cause) {
    if (!(cause instanceof ForbiddenAddress)) throw cause;
    throw new UserError(
      `The address ${url.hostname} is not public.`,
      'Name its network where the service runs, such as WEBHOOK_ALLOWED_NETWORKS=10.1.2.0/24',
      { cause },
    );
  }
}
