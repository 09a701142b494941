/** Stops a query on its server. */

import type { Heartbeat } from './heartbeat.ts';
import type { Host } from './hosts.ts';

export interface SentQuery {
  readonly host: Host;
  readonly query_id: string;
  readonly heartbeat: Heartbeat;
}

/** Milliseconds to wait for a kill. If it fails, the server notices the closed connection later and stops the query. */
const KILL_TIMEOUT = 5000;

/** Closing the connection would stop the query too, but later. Does not wait for a silent server. */
export async function killQuery({ host, query_id, heartbeat }: SentQuery): Promise<void> {
  const killed = host.client
    .command({
      query: 'KILL QUERY WHERE query_id = {id:String}',
      query_params: { id: query_id },
      abort_signal: AbortSignal.timeout(KILL_TIMEOUT),
    })
    .catch(() => undefined);
  if (!heartbeat.isSilent) await killed;
}
