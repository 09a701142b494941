/** The tables of headers: those that answers carry, and those of requests that change an answer. */

import { LOCALES } from '../record/labels.ts';

export interface HeaderLine {
  readonly meaning: string;
  readonly example: string | number;
  /** Not on every answer for which it is documented. */
  readonly optional?: true;
  /** Pages of other origins may read it; some others they may read anyway (Fetch standard, CORS-safelisted). */
  readonly exposed?: true;
  /** It is about the answer that was asked for, and would tell wrong things of a problem. */
  readonly successOnly?: true;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface RequestHeaderLine extends HeaderLine {
  /** Browsers send it by themselves and let no page do so. */
  readonly setByBrowser?: true;
}

const text = (maxLength: number, pattern = '^\\S.*$') => ({ type: 'string', maxLength, pattern });
const number = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const;

// biome-ignore format: one header a line
export const RESPONSE_HEADERS = {
  'X-Request-Id': { exposed: true, meaning: 'The id of the request: the one that was sent, where it was a plain one, else a new one', example: '0198f3c2-5b1e-4c55-9d3a-7f6f2f0a9c11', schema: text(64, '^[\\w.-]{1,64}$') },
  'Cache-Control': { meaning: 'Whether and how long the answer may be kept', example: 'no-store', schema: text(100) },
  ETag: { optional: true, exposed: true, successOnly: true, meaning: 'A tag of the answer: send it in `If-None-Match`, and as long as no row of the answer has changed it is 304 without a body', example: 'W/"mBzrAKPq0HNJCcjG7WoTpA"', schema: text(100, '^W/"[\\w-]{22}"$') },
  'Content-Language': { meaning: 'The language of the labels, or of the problem', example: 'fr', schema: { type: 'string', enum: LOCALES } },
  Vary: { optional: true, meaning: 'The headers of the request that the answer depends on', example: 'Authorization, Accept-Language', schema: text(200) },
  'Content-Disposition': { exposed: true, successOnly: true, meaning: 'A name for a file of the answer; formats other than JSON are kept by browsers', example: 'attachment; filename="sales_2026-01-01_2026-01-31.csv"', schema: text(200, '^(inline|attachment); filename="[^"]+"$') },
  'Content-Encoding': { optional: true, successOnly: true, meaning: 'How the answer is compressed, where `Accept-Encoding` allows it', example: 'zstd', schema: { type: 'string', enum: ['zstd', 'br', 'gzip'] } },
  Link: { optional: true, exposed: true, successOnly: true, meaning: 'Where a question with `limit` goes on, as rel="next" (RFC 8288); none on the last page', example: '</api/admin/transactions?type=sales&limit=100&cursor=…>; rel="next"', schema: text(10_000, '^<[^>]*>; rel="next"$') },
  'X-Total-Count': { optional: true, exposed: true, successOnly: true, meaning: 'How many records the question has without `limit`, where `Prefer: count=exact` asked for it', example: 4711, schema: { ...number, format: 'int64', maximum: Number.MAX_SAFE_INTEGER } },
  'Preference-Applied': { optional: true, exposed: true, successOnly: true, meaning: 'The preference that was followed (RFC 7240)', example: 'count=exact', schema: text(100) },
  'WWW-Authenticate': { exposed: true, meaning: 'How to authenticate, and what was wrong with the token (RFC 6750)', example: 'Bearer realm="transactions"', schema: text(400, '^Bearer realm="') },
  'Retry-After': { exposed: true, meaning: 'Seconds after which the same request may well succeed', example: 5, schema: number },
  'Access-Control-Allow-Origin': { optional: true, meaning: 'The page that may read the answer, where the operator lets pages of its origin call the service', example: 'https://dashboard.example', schema: text(300) },
  RateLimit: { optional: true, exposed: true, meaning: 'What is left of the limits of the token, and when they are full again', example: '"requests";r=598;t=12', schema: text(400) },
  'RateLimit-Policy': { optional: true, exposed: true, meaning: 'The limits of the token', example: '"requests";q=600;w=60', schema: text(400) },
  'Content-Security-Policy': { meaning: 'What the page may load: nothing but what is in it', example: "default-src 'none'", schema: text(400) },
  'X-Content-Type-Options': { meaning: 'The answer is nothing but what its type says: browsers guess no other', example: 'nosniff', schema: { type: 'string', const: 'nosniff' } },
  'Referrer-Policy': { meaning: 'The page tells nobody where a reader came from', example: 'no-referrer', schema: { type: 'string', const: 'no-referrer' } },
} as const satisfies Record<string, HeaderLine>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

// biome-ignore format: one header a line
export const REQUEST_HEADERS = {
  Accept: { meaning: 'Media types of the answer, best first (RFC 9110), where no `format` is asked for', example: 'text/csv, application/json;q=0.5', schema: text(1000) },
  'Accept-Language': { meaning: 'Languages of the status labels, best first (RFC 9110), where the token has none of its own', example: 'en-GB, fr;q=0.5', schema: text(1000) },
  'Accept-Encoding': { setByBrowser: true, meaning: 'Compressions that the client can undo (RFC 9110)', example: 'zstd, br, gzip', schema: text(200) },
  'If-None-Match': { meaning: 'Tags of answers that the client has (RFC 9110): 304 where one of them is still right', example: 'W/"mBzrAKPq0HNJCcjG7WoTpA"', schema: text(1000) },
  Prefer: { meaning: '`count=exact`: say the number of all records in the header X-Total-Count (RFC 7240)', example: 'count=exact', schema: text(200) },
  'X-Request-Id': { meaning: 'An id of your own for the request: it comes back in the answer and is in the log', example: 'order-66', schema: text(64, '^[\\w.-]{1,64}$') },
} as const satisfies Record<string, RequestHeaderLine>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

const namesWhere = <Line>(
  headers: Readonly<Record<string, Line>>,
  isMeant: (line: Line) => boolean,
): readonly string[] =>
  Object.entries(headers).flatMap(([name, line]) => (isMeant(line) ? [name] : []));

/** What pages of other origins may read of an answer, beyond what every page may. */
export const CORS_EXPOSED_HEADERS = namesWhere<HeaderLine>(
  RESPONSE_HEADERS,
  ({ exposed }) => exposed === true,
);

/** What pages of other origins may send. */
export const CORS_REQUEST_HEADERS = [
  'Authorization',
  ...namesWhere<RequestHeaderLine>(REQUEST_HEADERS, ({ setByBrowser }) => setByBrowser !== true),
];

export const SUCCESS_HEADERS = namesWhere<HeaderLine>(
  RESPONSE_HEADERS,
  ({ successOnly }) => successOnly === true,
);
