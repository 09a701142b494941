/** What each problem of the catalogue means and what ends it, at the length of a page. */

import { MAX_URL_LENGTH, type ProblemCode } from './problems.ts';

/** What a problem is about; `request` is what arrives, whatever it asks for. */
export type ProblemOrigin =
  | 'request'
  | 'method'
  | 'path'
  | 'token'
  | 'parameters'
  | 'question'
  | 'database';

interface Explanation {
  readonly origin: ProblemOrigin;
  /** When the service sends it, and why. */
  readonly meaning: string;
  /** What whoever asks can do, and who else can where they cannot. */
  readonly remedy: string;
}

const ASK_FOR_TOKEN =
  'Ask the operator of the service for a token. They make one with `transactions token create`, which shows it once.';
const TRY_AGAIN =
  'Send the same request again after the seconds in the header `Retry-After`. The service only reads, so nothing happens twice.';

export const PROBLEM_EXPLANATIONS: { readonly [code in ProblemCode]: Explanation } = {
  invalid_parameters: {
    origin: 'parameters',
    meaning:
      'The query string has a parameter that there is not, one that is given twice, has no value or has a wrong one, or a required parameter is missing. Nothing was read. Each fault is an entry in `errors`, all of them at once.',
    remedy:
      'Correct every parameter that `errors` names; its `detail` says what would be right, and what you may have meant. The parameters are listed on the documentation page.',
  },
  malformed_request: {
    origin: 'request',
    meaning:
      'What arrived is not valid HTTP/1.1: a line that cannot be read, no or two `Host` headers, contradictory lengths, or percent-encoding in the path that is no text. It was refused before anything was looked up.',
    remedy:
      'Send the request with a common HTTP client and let it encode the URL. If you do, something between it and the service changes requests: tell the operator the request id.',
  },
  token_missing: {
    origin: 'token',
    meaning:
      'The request has no header `Authorization` of the scheme `Bearer`. Tokens in the URL, in a cookie or in a body are not looked at, because they end up in logs.',
    remedy: `Send the header \`Authorization: Bearer <ACCESS_TOKEN>\`. ${ASK_FOR_TOKEN}`,
  },
  token_malformed: {
    origin: 'token',
    meaning:
      'There is a header `Authorization`, but what follows `Bearer` cannot be a token: it is cut short, has quotes around it or more behind it, or the header is there twice. Tokens of this service end in a checksum, so a mistyped one is noticed here.',
    remedy:
      'Copy the token again, whole, without quotes or line breaks, and send the header once. Look whether a proxy or a library adds one of its own.',
  },
  token_invalid: {
    origin: 'token',
    meaning:
      'The token has the right form, and this service does not know it: it is of another environment or database, or it is a JSON Web Token of a provider that is not configured here, for another audience or with a wrong signature.',
    remedy: `Check that token and address belong to the same environment. ${ASK_FOR_TOKEN}`,
  },
  token_expired: {
    origin: 'token',
    meaning: 'The token was good until its expiry, which has passed.',
    remedy: `${ASK_FOR_TOKEN} For a token of an identity provider, sign in again or use its refresh token.`,
  },
  token_revoked: {
    origin: 'token',
    meaning: 'The token was good, and the operator has revoked it. This cannot be undone.',
    remedy: ASK_FOR_TOKEN,
  },
  wrong_role: {
    origin: 'question',
    meaning:
      'The token is good, but for the other endpoint: tokens of administrators read `/api/admin/…`, those of affiliates read `/api/affiliate/…`, and no token reads both.',
    remedy: 'Call the endpoint of your role, or ask the operator for a token of the other role.',
  },
  publisher_forbidden: {
    origin: 'question',
    meaning:
      'The request asks for a `publisher_id` that the token is not for. The answer is the same whether that website exists or not.',
    remedy:
      'Ask for one of your own websites, or leave `publisher_id` out to read all of them. If one of yours is missing, the operator makes you a token that has it.',
  },
  program_forbidden: {
    origin: 'question',
    meaning:
      'The request asks for a `program_id`, and the token is limited to other programs. The answer is the same whether that program exists or not.',
    remedy:
      'Ask for one of your own programs, or leave `program_id` out to read all of them. If one of yours is missing, the operator makes you a token that has it.',
  },
  not_found: {
    origin: 'path',
    meaning:
      'No part of the service has this path. Paths are compared letter by letter: a slash at the end or an upper-case letter makes another path. A period without transactions is not this problem but an empty list.',
    remedy:
      'Compare the path with the documentation page. If the service is mounted below a base path, that comes first.',
  },
  method_not_allowed: {
    origin: 'method',
    meaning:
      'There is something at this path, but the service only reads and was asked to write, or for a tunnel. The body of the request was not looked at.',
    remedy: 'Use GET, with everything that you ask for in the query string, or HEAD.',
  },
  not_acceptable: {
    origin: 'question',
    meaning:
      'The header `Accept` names only media types that this endpoint does not have, or refuses those that it has with `q=0`; or `Accept-Encoding` refuses, with `q=0`, each coding in which the answer can be sent. Parquet and Arrow are compressed inside and sent as they are, which is the coding `identity`.',
    remedy:
      'Send no `Accept`, `Accept: */*`, or one of the media types that the documentation page lists for the endpoint. Let `Accept-Encoding` name what your client can undo, and do not refuse `identity` in it.',
  },
  request_timeout: {
    origin: 'request',
    meaning:
      'The connection was opened, but the line and the headers of the request did not arrive whole within a minute.',
    remedy:
      'Send the request again, in one piece. If it keeps happening, look at the network in between.',
  },
  content_too_large: {
    origin: 'request',
    meaning:
      'The request has a body. The service only reads, everything that it is asked stands in the query string, and a body is refused unread.',
    remedy: 'Send the request without a body, and its parameters in the query string.',
  },
  uri_too_long: {
    origin: 'request',
    meaning: `The path and the query string together are longer than ${MAX_URL_LENGTH} bytes.`,
    remedy:
      'Ask for fewer things at once, for example in two requests with half of the values each.',
  },
  too_many_requests: {
    origin: 'token',
    meaning:
      'The token has made as many requests within a minute as it may. The limit is the token’s own: others do not use it up.',
    remedy:
      'Wait for the seconds in the header `Retry-After`, then go on. The headers `RateLimit` and `RateLimit-Policy` of every answer say what is left. One request for a year costs as much as one for a day, so ask for longer periods rather than often.',
  },
  too_many_downloads: {
    origin: 'question',
    meaning:
      'The token has as many answers on their way as it may have at a time. Those that are read slowly count as long as they last.',
    remedy:
      'Read the answers that are on their way to their end, or close them; then send the request again. There is no cap on the period: one download can have all of it.',
  },
  headers_too_large: {
    origin: 'request',
    meaning:
      'The request line and the headers together are larger than 16 kB. Most often it is a cookie of another service on the same domain, or a JSON Web Token with very many claims.',
    remedy:
      'Send fewer or smaller headers: no cookies, and a token with only the claims that are needed.',
  },
  internal_error: {
    origin: 'request',
    meaning:
      'Something failed that nobody foresaw. The answer tells nothing of it on purpose; the log of the service does, under the request id.',
    remedy:
      'Try once more. If it stays, give the operator the `request_id`: they find the cause in the log with it.',
  },
  identity_provider_unavailable: {
    origin: 'token',
    meaning:
      'The token is of an identity provider, whose keys the service needs to check it and could not get just now. The token was neither accepted nor refused.',
    remedy: `${TRY_AGAIN} If it stays, the operator checks \`OIDC_ISSUER\` and whether the service reaches it.`,
  },
  database_unavailable: {
    origin: 'database',
    meaning:
      'The database did not answer, or not in time, and no other copy of it did either. Nothing of an answer was sent.',
    remedy: `${TRY_AGAIN} If it stays, the operator looks at \`/health/ready\` and at the log.`,
  },
  no_room: {
    origin: 'question',
    meaning:
      'Parquet and Arrow are made whole on a disk of the service before they are sent, and of a large summary the rest waits there; that disk is as good as full.',
    remedy:
      'Ask for a shorter period or fewer groups, or for a list in JSON, NDJSON or CSV, which needs no disk. The operator frees space.',
  },
  busy: {
    origin: 'question',
    meaning:
      'The database answers a few questions at a time, and the queue of those that wait is full. It empties within seconds.',
    remedy: `${TRY_AGAIN} Ask one question after the other rather than many at once.`,
  },
  shutting_down: {
    origin: 'request',
    meaning:
      'This server was told to stop. It completes the answers that it has begun and takes no new requests; usually another one takes its place.',
    remedy: TRY_AGAIN,
  },
};
