/** The explanation of each problem: the text of its page. */

import { ACCESS_EXPLANATIONS } from './access-explanations.ts';
import { type Explanation, TRY_AGAIN } from './explanation.ts';
import { MAX_URL_LENGTH, type ProblemCode } from './problems.ts';

export const PROBLEM_EXPLANATIONS: { readonly [code in ProblemCode]: Explanation } = {
  ...ACCESS_EXPLANATIONS,
  invalid_parameters: {
    origin: 'parameters',
    meaning:
      'The query string has an unknown parameter, a repeated parameter that takes no list, a parameter without a value or with an invalid value, or it lacks a required parameter. Nothing was read. `errors` lists all faults at once.',
    remedy:
      'Correct every parameter in `errors`. Its `detail` says what is valid, and suggests the right spelling. The documentation page lists all parameters.',
  },
  malformed_request: {
    origin: 'request',
    meaning:
      'The request is not valid HTTP/1.1. For example, it has an invalid line, no or several `Host` headers, contradictory lengths, or invalid percent-encoding in its path. The service refused it without reading any data.',
    remedy:
      'Send the request with a common HTTP client and let the client encode the URL. If you already do, something between the client and the service changes requests: give the operator the request id.',
  },
  not_found: {
    origin: 'path',
    meaning:
      'The service has nothing at this path. Paths are case-sensitive, and a slash at the end makes a different path. A period without transactions is not a problem: its list is empty.',
    remedy:
      'Compare the path with the documentation page. If the service is mounted below a base path, the path must begin with it.',
  },
  transaction_not_found: {
    origin: 'transaction',
    meaning:
      'The path names a transaction that does not exist, or that the token has no access to. The response does not say which.',
    remedy:
      'Check the type and the identifier. To find a transaction by its order, click or sub id, list the transactions of a period.',
  },
  method_not_allowed: {
    origin: 'method',
    meaning:
      'The path exists, but it does not support the method of the request. Most paths support only GET and HEAD.',
    remedy:
      'Use one of the methods in the header `Allow`, with all parameters in the query string.',
  },
  not_acceptable: {
    origin: 'query',
    meaning:
      'The header `Accept` names no media type of this endpoint, or refuses all of them with `q=0`. Or the header `Accept-Encoding` refuses every content coding of the response with `q=0`. Parquet and Arrow files contain compressed data, so they are sent with the coding `identity`.',
    remedy:
      'Omit `Accept`, or send `Accept: */*` or one of the media types that the documentation page lists for the endpoint. In `Accept-Encoding`, name the codings that your client supports, and do not refuse `identity`.',
  },
  changes_expired: {
    origin: 'changes',
    meaning:
      'The position in `after` is older than the changes that the service keeps, by default 90 days, or it is from before a change that the feed cannot describe: the database was restored from a backup, or the operator changed how much of an IP address records show.',
    remedy:
      'Read the list again, replace your copy with it, and continue with the header `Changes-After` of that response.',
  },
  request_timeout: {
    origin: 'request',
    meaning:
      'The headers of the request did not arrive completely within a minute, or the body of a message to `/mcp` within 30 seconds.',
    remedy:
      'Send the request again. If it keeps happening, check the network between the client and the service.',
  },
  content_too_large: {
    origin: 'request',
    meaning:
      'The request has a body. Only `/mcp` takes a body. Elsewhere the service takes all parameters from the query string, so it refuses bodies without reading them.',
    remedy: 'Send the request without a body, with its parameters in the query string.',
  },
  uri_too_long: {
    origin: 'request',
    meaning: `The path and the query string of the request, or those of the link to the next page, are together longer than ${MAX_URL_LENGTH} bytes.`,
    remedy: 'Request fewer values at once, for example half of them in each of two requests.',
  },
  precondition_failed: {
    origin: 'file',
    meaning:
      'The header `If-Match` has the entity tag of a Parquet or Arrow file that the service no longer keeps: nobody has read it for 5 minutes, another file needed its space, more than 16 files of the token or 128 altogether were kept, or values were erased. A file that is written again may have other bytes.',
    remedy:
      'Request the file or its headers again, and read its parts with the new `ETag`. Do not mix them with the parts that you have.',
  },
  range_not_satisfiable: {
    origin: 'file',
    meaning:
      'The header `Range` requests a part of a Parquet or Arrow file that begins after its last byte. A download that resumes at the end of a complete file causes this, too.',
    remedy:
      'Compare the length in `Content-Range` with the bytes that you have. If both are the same, the file is complete.',
  },
  upgrade_required: {
    origin: 'query',
    meaning:
      'The request came over HTTP/1.0, which marks the end of a stream only by closing the connection. A client could not tell a complete NDJSON or CSV response, or a compressed one, from one that was cut. nginx before 1.29.7 uses HTTP/1.0 between itself and the service unless it is told otherwise.',
    remedy:
      'Use HTTP/1.1. The operator of an nginx in front of the service sets `proxy_http_version 1.1`. Over HTTP/1.0 the service still sends uncompressed JSON, because a missing bracket at the end shows that it was cut. It also sends lists with `limit`, Parquet and Arrow, because they have a `Content-Length`.',
  },
  headers_too_large: {
    origin: 'request',
    meaning:
      'The request line and the headers together are larger than 16 kB. The usual causes are cookies of another service on the same domain, and a JSON Web Token with many claims.',
    remedy: 'Send fewer or smaller headers: no cookies, and a token with only the required claims.',
  },
  internal_error: {
    origin: 'request',
    meaning:
      'An unexpected error occurred. The response has no details for security reasons. The log of the service has them, under the request id.',
    remedy:
      'Send the request again. If the problem persists, give the operator the `request_id`, which identifies the error in the log.',
  },
  database_unavailable: {
    origin: 'database',
    meaning:
      'The database and its replicas did not respond in time. No part of a response was sent.',
    remedy: `${TRY_AGAIN} If the problem persists, the operator checks \`/health/ready\` and the log.`,
  },
  disk_quota_exceeded: {
    origin: 'query',
    meaning:
      'The service writes Parquet and Arrow files to its disk before it sends them, and also the part of a large summary that does not fit in its memory. The files of one client that were not read to their end may take only a limited space, so that no client fills the disk for all. Affiliates’ tokens of the same websites count as one client.',
    remedy:
      'Read your downloads to their end or close their connections, then send the request again. Download files one after the other. The operator sets the quota in `DISK_QUOTA`.',
  },
  no_room: {
    origin: 'query',
    meaning:
      'The service writes Parquet and Arrow files to its disk before it sends them, and also the part of a large summary that does not fit in its memory. The disk is almost full.',
    remedy:
      'Request a shorter period, fewer groups, or a list in JSON, NDJSON or CSV, which needs no disk space. The operator frees space.',
  },
  query_too_long: {
    origin: 'query',
    meaning:
      'A summary may take ten minutes, and a Parquet or Arrow file an hour. The query reached this limit and was stopped, so that others get their answers.',
    remedy:
      'Request a shorter period or fewer groups, or a list in JSON, NDJSON or CSV, which has no time limit. The operator checks whether the database is overloaded.',
  },
  busy: {
    origin: 'query',
    meaning:
      'The database runs a limited number of queries at once, and the queue for it is full. It empties within seconds. On a cluster, the cause can also be that imports became visible during each of three readings of the query.',
    remedy: `${TRY_AGAIN} Send requests one after the other instead of many at once. On a cluster with frequent imports, request a shorter period or fewer groups.`,
  },
  shutting_down: {
    origin: 'request',
    meaning:
      'This server is shutting down. It completes the responses that it has begun and accepts no new requests. Usually another server takes over.',
    remedy: TRY_AGAIN,
  },
};
