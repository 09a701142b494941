/** The catalogue of problems: every error response of the service (RFC 9457). */

/** The maximum length of the path and query string, in bytes. */
export const MAX_URL_LENGTH = 8192;

interface ProblemLine {
  readonly status: number;
  readonly title: string;
  /** What is wrong, and often what the client can do. */
  readonly detail: string;
  /** The error code of RFC 6750, for problems about the bearer token. `none`: the response has no error code. */
  readonly bearer?: 'invalid_token' | 'insufficient_scope' | 'invalid_request' | 'none';
}

// biome-ignore format: one problem a line
export const PROBLEMS = {
  invalid_parameters: { status: 400, title: 'Invalid query parameters', detail: 'One or more query parameters are invalid. `errors` lists them.' },
  malformed_request: { status: 400, title: 'Malformed request', detail: 'The request is not valid HTTP/1.1.' },
  token_missing: { status: 401, title: 'Access token missing', detail: 'Send your access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.', bearer: 'none' },
  token_malformed: { status: 401, title: 'Access token malformed', detail: 'The header must be `Authorization: Bearer <ACCESS_TOKEN>`, with one complete token.', bearer: 'invalid_token' },
  token_invalid: { status: 401, title: 'Access token not accepted', detail: 'The access token is unknown to this service. Ask the operator of this service for a valid one.', bearer: 'invalid_token' },
  token_expired: { status: 401, title: 'Access token expired', detail: 'The access token has expired. Ask the operator of this service for a new one.', bearer: 'invalid_token' },
  token_revoked: { status: 401, title: 'Access token revoked', detail: 'The access token was revoked. Ask the operator of this service for a new one.', bearer: 'invalid_token' },
  sign_in_link_invalid: { status: 401, title: 'Sign-in link not accepted', detail: 'The sign-in link is incomplete, was used or revoked, or has expired. A link is valid once, for 15 minutes. Ask the person who sent it for a new one.', bearer: 'invalid_token' },
  wrong_role: { status: 403, title: 'Wrong role', detail: 'The access token has a different role from the one that this endpoint requires.', bearer: 'insufficient_scope' },
  publisher_forbidden: { status: 403, title: 'Publisher not allowed', detail: 'The access token does not give access to this publisher_id.', bearer: 'insufficient_scope' },
  program_forbidden: { status: 403, title: 'Program not allowed', detail: 'The access token does not give access to this program_id.', bearer: 'insufficient_scope' },
  origin_forbidden: { status: 403, title: 'Origin not allowed', detail: 'The header `Origin` names a web page that may not call this path. The operator of this service can allow it in `CORS_ORIGINS`.' },
  token_management_forbidden: { status: 403, title: 'Management of access not allowed', detail: 'The access token may not do this. Tokens and webhooks are managed with an access token that the operator of this service creates with `--may-manage-tokens`.', bearer: 'insufficient_scope' },
  token_too_wide: { status: 403, title: 'More rights than your token has', detail: 'A new token or webhook must stay within the programs and the expiry of the token that creates it.', bearer: 'insufficient_scope' },
  not_found: { status: 404, title: 'Not found', detail: 'This path does not exist.' },
  transaction_not_found: { status: 404, title: 'Transaction not found', detail: 'The access token gives access to no transaction with this type and identifier.' },
  token_not_found: { status: 404, title: 'Token not found', detail: 'There is no token with this id, or it has rights that the access token does not have.' },
  webhook_not_found: { status: 404, title: 'Webhook not found', detail: 'There is no webhook with this id, or it delivers what the access token cannot read.' },
  method_not_allowed: { status: 405, title: 'Method not allowed', detail: 'Use one of the methods in the `Allow` header.' },
  not_acceptable: { status: 406, title: 'Not acceptable', detail: 'The service cannot send any of the formats or content codings that the headers `Accept` and `Accept-Encoding` allow.' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks', detail: 'The limit of webhooks is reached. Remove one first.' },
  too_many_links: { status: 409, title: 'Too many sign-in links', detail: 'The limit of unused sign-in links is reached. Revoke some of them, or try again in 15 minutes.' },
  too_many_tokens: { status: 409, title: 'Too many access tokens', detail: 'The token of the request has created as many access tokens as it can have at a time. Revoke those that are not used any more.' },
  changes_expired: { status: 410, title: 'Changes no longer available', detail: 'The service no longer has all changes after this position. Read the list again, and continue after its header `Changes-After`.' },
  request_timeout: { status: 408, title: 'Request timeout', detail: 'The request did not arrive completely in time.' },
  content_too_large: { status: 413, title: 'Content too large', detail: 'The request has a body, which only `/mcp` accepts. Send the parameters in the query string.' },
  uri_too_long: { status: 414, title: 'URI too long', detail: `The URL, or that of its next page, has more than ${MAX_URL_LENGTH} characters. Send several requests with fewer values each.` },
  precondition_failed: { status: 412, title: 'Precondition failed', detail: 'The service no longer has the file that the header `If-Match` names. Read the file again from its beginning.' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable', detail: 'The file has no bytes in the range that the header `Range` requests. `Content-Range` has its length.' },
  upgrade_required: { status: 426, title: 'HTTP version too old', detail: 'Over HTTP/1.0 a cut response in this format would look complete. Use HTTP/1.1 (in nginx `proxy_http_version 1.1`), request uncompressed JSON, or set `limit`.' },
  too_many_requests: { status: 429, title: 'Too many requests', detail: 'The access token has used all its requests of this minute. Try again after the number of seconds in `Retry-After`.' },
  too_many_invalid_tokens: { status: 429, title: 'Too many invalid access tokens', detail: 'Too many invalid access tokens came from this network address. Try again with a valid token after the number of seconds in `Retry-After`.' },
  too_many_downloads: { status: 429, title: 'Too many concurrent downloads', detail: 'The access token has reached its limit of concurrent downloads. Try again when one of them has ended.' },
  disk_quota_exceeded: { status: 429, title: 'Disk quota exceeded', detail: 'Files and large summaries that were created for you and are not read yet take your whole quota of disk space. Read them to their end or close their connections, then try again after the number of seconds in `Retry-After`. A list in JSON, NDJSON or CSV needs no disk space.' },
  headers_too_large: { status: 431, title: 'Request header fields too large', detail: 'The headers of the request are larger than the service accepts.' },
  internal_error: { status: 500, title: 'Internal error', detail: 'The service failed. Give its operator the request id to find the cause.' },
  identity_provider_unavailable: { status: 503, title: 'Identity provider unavailable', detail: 'The identity provider does not respond correctly at the moment. Try again in a few seconds.' },
  database_unavailable: { status: 503, title: 'Database unavailable', detail: 'The database does not respond at the moment. Try again in a few seconds.' },
  no_room: { status: 503, title: 'Disk full', detail: 'The service does not have enough disk space for a response of this size at the moment. Request a shorter period, fewer groups, or a list in JSON, NDJSON or CSV, which needs no disk space.' },
  query_too_long: { status: 503, title: 'Query too long', detail: 'The query took longer than the service allows, and was stopped. Request a shorter period or fewer groups, or a list in JSON, NDJSON or CSV, which has no time limit.' },
  busy: { status: 503, title: 'Too many concurrent requests', detail: 'The service cannot begin this request at the moment, because it is busy with others. Try again in a few seconds.' },
  shutting_down: { status: 503, title: 'Shutting down', detail: 'This server is shutting down. Try again in a few seconds.' },
} as const satisfies Record<string, ProblemLine>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problemLine = (code: ProblemCode): ProblemLine => PROBLEMS[code];

/** An invalid parameter of a request. */
export interface ParameterFault {
  readonly parameter: string;
  readonly code: 'unknown' | 'repeated' | 'empty' | 'missing' | 'invalid';
  readonly detail: string;
}

/** An error from the catalogue, with the details of this case. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly ParameterFault[];
  /** A sentence about this case, after the detail of the catalogue. It never has a secret. */
  readonly hint: string;
  /** Headers of the response, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    options: ErrorOptions & {
      readonly faults?: readonly ParameterFault[];
      readonly hint?: string | undefined;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(PROBLEMS[code].detail, options);
    this.name = 'Problem';
    this.code = code;
    this.faults = options.faults ?? [];
    this.hint = options.hint ?? '';
    this.headers = options.headers ?? {};
  }
}
