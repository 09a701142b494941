/** The catalogue of problems: every refusal that the service sends is one line here (RFC 9457). */

/** The longest path with parameters that the service accepts, in bytes. */
export const MAX_URL_LENGTH = 8192;

interface ProblemLine {
  readonly status: number;
  readonly title: string;
  /** What the client can do about it. */
  readonly detail: string;
  /** The error code of RFC 6750, for problems about the bearer token. */
  readonly bearer?: 'invalid_token' | 'insufficient_scope' | 'invalid_request' | 'none';
}

// biome-ignore format: one problem a line
export const PROBLEMS = {
  invalid_parameters: { status: 400, title: 'Invalid query parameters', detail: 'One or more query parameters are wrong; `errors` names each of them.' },
  malformed_request: { status: 400, title: 'Malformed request', detail: 'The request is not valid HTTP/1.1.' },
  token_missing: { status: 401, title: 'Access token missing', detail: 'Send your access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.', bearer: 'none' },
  token_malformed: { status: 401, title: 'Access token malformed', detail: 'The header must read `Authorization: Bearer <ACCESS_TOKEN>`, with one token that was copied whole.', bearer: 'invalid_token' },
  token_invalid: { status: 401, title: 'Access token not accepted', detail: 'The access token is unknown here. Ask the operator of this service for a valid one.', bearer: 'invalid_token' },
  token_expired: { status: 401, title: 'Access token expired', detail: 'The access token has expired. Ask the operator of this service for a new one.', bearer: 'invalid_token' },
  token_revoked: { status: 401, title: 'Access token revoked', detail: 'The access token was revoked. Ask the operator of this service for a new one.', bearer: 'invalid_token' },
  wrong_role: { status: 403, title: 'Wrong role', detail: 'The access token has another role than the one this endpoint is for.', bearer: 'insufficient_scope' },
  publisher_forbidden: { status: 403, title: 'Publisher not allowed', detail: 'The access token does not give access to this publisher_id.', bearer: 'insufficient_scope' },
  program_forbidden: { status: 403, title: 'Program not allowed', detail: 'The access token does not give access to this program_id.', bearer: 'insufficient_scope' },
  not_found: { status: 404, title: 'Not found', detail: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, title: 'Method not allowed', detail: 'The service only reads: use one of the methods in the `Allow` header.' },
  not_acceptable: { status: 406, title: 'Not acceptable', detail: 'The service has none of the formats or codings that the headers `Accept` and `Accept-Encoding` ask for.' },
  request_timeout: { status: 408, title: 'Request timeout', detail: 'The request did not arrive whole in time.' },
  content_too_large: { status: 413, title: 'Content too large', detail: 'Requests carry no body here: send the question in the query string, and no body.' },
  uri_too_long: { status: 414, title: 'URI too long', detail: 'The path and its query parameters are longer than the service accepts.' },
  too_many_requests: { status: 429, title: 'Too many requests', detail: 'The access token has used up its requests of this minute. Try again after the seconds in `Retry-After`.' },
  too_many_downloads: { status: 429, title: 'Too many downloads at once', detail: 'The access token has as many downloads running as it may have. Try again when one of them has ended.' },
  headers_too_large: { status: 431, title: 'Request header fields too large', detail: 'The headers of the request are larger than the service accepts.' },
  internal_error: { status: 500, title: 'Internal error', detail: 'The service failed. The request id helps its operator to find out why.' },
  identity_provider_unavailable: { status: 503, title: 'Identity provider unavailable', detail: 'The identity provider does not answer as it should at the moment. Try again in a few seconds.' },
  database_unavailable: { status: 503, title: 'Database unavailable', detail: 'The database does not answer at the moment. Try again in a few seconds.' },
  no_room: { status: 503, title: 'No room on the disk', detail: 'The service has no room on its disk for an answer of this size at the moment. Ask for a shorter period or fewer groups, or for a list in JSON, NDJSON or CSV, which needs no disk.' },
  busy: { status: 503, title: 'Too many questions at once', detail: 'Many questions wait for an answer. Try again in a few seconds.' },
  shutting_down: { status: 503, title: 'Shutting down', detail: 'This server is shutting down. Try again in a few seconds.' },
} as const satisfies Record<string, ProblemLine>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problemLine = (code: ProblemCode): ProblemLine => PROBLEMS[code];

/** One wrong parameter of a request. */
export interface ParameterFault {
  readonly parameter: string;
  readonly code: 'unknown' | 'repeated' | 'empty' | 'missing' | 'invalid';
  readonly detail: string;
}

/** A refusal from the catalogue, with what is particular to this one. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly ParameterFault[];
  /** Headers that go with the answer, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    options: ErrorOptions & {
      readonly faults?: readonly ParameterFault[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(PROBLEMS[code].detail, options);
    this.name = 'Problem';
    this.code = code;
    this.faults = options.faults ?? [];
    this.headers = options.headers ?? {};
  }
}
