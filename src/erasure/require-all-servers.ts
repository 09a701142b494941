/** Refuses an erasure while a server of the cluster does not answer, because that server would keep the values. */

import type { Engine } from '../engine/engine.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';

export function requireAllServers(servers: readonly Engine[], nodes: ClusterNodes): void {
  if (nodes.servers.length >= servers.length) return;
  throw new UserError(
    'A server of the cluster does not answer. Nothing was erased.',
    'Start it, then erase again.',
  );
}
