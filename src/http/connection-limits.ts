/** Limits for the connections of the HTTP server. */

export interface ConnectionLimits {
  /** Connections at once; further ones are closed unread. */
  readonly maxConnections: number;
  /** Requests on one connection before it is closed; 0 for no limit. */
  readonly requestsPerConnection: number;
  /** Requests that one connection may send before their responses have ended. */
  readonly pipelinedRequests: number;
  /** Seconds in which the headers of a request must arrive. */
  readonly headersTimeout: number;
  /** Seconds that a connection stays open without a request. */
  readonly idleTimeout: number;
}
