/** Limits for the connections of the HTTP server. */

export interface ConnectionLimits {
  /** Maximum number of open connections. Further ones are closed before any request is read. */
  readonly maxConnections: number;
  /** Requests on one connection before it is closed; 0 for no limit. */
  readonly requestsPerConnection: number;
  /** Maximum number of requests on one connection whose responses have not ended. */
  readonly pipelinedRequests: number;
  /** Seconds in which the headers of a request must arrive. */
  readonly headersTimeout: number;
  /** Seconds that a connection stays open without a request. */
  readonly idleTimeout: number;
}
