/** Cuts a response, so that no client takes it for complete. */

import type { ServerResponse } from 'node:http';

const cutResponses = new WeakSet<ServerResponse>();

/** Whether the service cut the response, and not its client. */
export const wasCut = (response: ServerResponse): boolean => cutResponses.has(response);

/** Resets the connection, which is an error for the client even without a `Content-Length`. */
export function cut(response: ServerResponse): void {
  if (!response.destroyed) cutResponses.add(response);
  response.socket?.resetAndDestroy();
  response.destroy();
}
