/** Cuts a response, so that no client takes it for complete. */

import type { ServerResponse } from 'node:http';

/** Resets the connection, which is an error for the client even without a `Content-Length`. */
export function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}
