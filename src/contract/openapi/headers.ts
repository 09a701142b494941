/** The tables of response headers and of request headers that change a response. */

import { CHANGE_POSITION_LENGTH, CHANGE_POSITION_PATTERN } from '../query/parameter-values.ts';
import { LOCALES } from '../record/labels.ts';

export interface HeaderDefinition {
  readonly meaning: string;
  readonly example: string | number;
  /** The header can be absent. */
  readonly optional?: true;
  /** Pages of other origins can read it. CORS-safelisted headers need no such permission (Fetch standard). */
  readonly exposed?: true;
  /** It describes the requested content, so a problem must not have it. */
  readonly successOnly?: true;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface RequestHeaderDefinition extends HeaderDefinition {
  /** Browsers set it, and pages cannot. */
  readonly setByBrowser?: true;
}

const text = (maxLength: number, pattern = '^\\S.*$') => ({ type: 'string', maxLength, pattern });
const number = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const;

// biome-ignore format: one header a line
export const RESPONSE_HEADERS = {
  'X-Request-Id': { exposed: true, meaning: 'The request id: the id that the client sent if it is valid, otherwise a new one', example: '0198f3c2-5b1e-4c55-9d3a-7f6f2f0a9c11', schema: text(64, '^[\\w.-]{1,64}$') },
  'Cache-Control': { meaning: 'Whether and for how long the response may be cached', example: 'no-store', schema: text(100) },
  ETag: { optional: true, exposed: true, successOnly: true, meaning: 'The entity tag of the response. If a later request has it in `If-None-Match`, it gets 304 without a body as long as no row has changed. The tag of a Parquet or Arrow file is strong: equal tags mean equal bytes', example: 'W/"mBzrAKPq0HNJCcjG7WoTpA"', schema: text(100, '^(W/"[\\w-]{22}"|"[\\w-]{22}\\.[\\w-]{22}")$') },
  'Content-Language': { meaning: 'The language of the labels or of the problem', example: 'fr', schema: { type: 'string', enum: LOCALES } },
  Vary: { optional: true, meaning: 'The request headers that the response depends on', example: 'Authorization, Accept-Language', schema: text(200) },
  'Content-Disposition': { exposed: true, successOnly: true, meaning: 'A file name for the response. Browsers show JSON, and save other formats as files', example: 'attachment; filename="sales_2026-01-01_2026-01-31.csv"', schema: text(200, '^(inline|attachment); filename="[^"]+"$') },
  'Content-Encoding': { optional: true, successOnly: true, meaning: 'The compression of the response, if `Accept-Encoding` allows one', example: 'zstd', schema: { type: 'string', enum: ['zstd', 'br', 'gzip'] } },
  Link: { optional: true, exposed: true, successOnly: true, meaning: 'The URL of the next page of a list with `limit`, as rel="next" (RFC 8288). In this URL, the parameter `id_lists` replaces long lists of identifiers. The last page has no such header. Responses of the change feed always have it', example: '</api/admin/transactions?type=sales&limit=100&cursor=…>; rel="next"', schema: text(10_000, '^<[^>]*>; rel="next"$') },
  'Accept-Ranges': { optional: true, exposed: true, successOnly: true, meaning: 'A Parquet or Arrow file can be read in parts (RFC 9110)', example: 'bytes', schema: { type: 'string', const: 'bytes' } },
  'Content-Range': { optional: true, exposed: true, successOnly: true, meaning: 'Which bytes of the file the response has, and the length of the file', example: 'bytes 0-1023/146515', schema: text(100, '^bytes (\\d+-\\d+|\\*)/\\d+$') },
  'Changes-After': { optional: true, exposed: true, successOnly: true, meaning: 'The position in the change feed just before the list was read. Send it as `after` to read the changes since then. Only lists without `limit` have this header', example: 'A'.repeat(CHANGE_POSITION_LENGTH), schema: { type: 'string', pattern: CHANGE_POSITION_PATTERN.source } },
  'X-Total-Count': { optional: true, exposed: true, successOnly: true, meaning: 'The number of records that the list would have without `limit`, if the request has `Prefer: count=exact`', example: 4711, schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
  'Preference-Applied': { optional: true, exposed: true, successOnly: true, meaning: 'The preference that was applied (RFC 7240)', example: 'count=exact', schema: text(100) },
  'WWW-Authenticate': { exposed: true, meaning: 'How to authenticate, and what is wrong with the token (RFC 6750)', example: 'Bearer realm="transactions"', schema: text(400, '^Bearer realm="') },
  'Retry-After': { exposed: true, meaning: 'Number of seconds after which to send the request again', example: 5, schema: number },
  Upgrade: { meaning: 'The protocol that the request needs (RFC 9110)', example: 'HTTP/1.1', schema: text(20) },
  'Access-Control-Allow-Origin': { optional: true, meaning: 'The origin whose pages can read the response, if the operator allows it', example: 'https://dashboard.example', schema: text(300) },
  RateLimit: { optional: true, exposed: true, meaning: 'What is left of the limits of the token, and when they are reset', example: '"requests";r=598;t=12', schema: text(400) },
  'RateLimit-Policy': { optional: true, exposed: true, meaning: 'The limits of the token', example: '"requests";q=600;w=60', schema: text(400) },
  'Content-Security-Policy': { meaning: 'What the page may load: nothing from other hosts', example: "default-src 'none'", schema: text(400) },
  'X-Content-Type-Options': { meaning: 'Browsers must not guess another media type', example: 'nosniff', schema: { type: 'string', const: 'nosniff' } },
  'Referrer-Policy': { meaning: 'Links of the page send no `Referer`', example: 'no-referrer', schema: { type: 'string', const: 'no-referrer' } },
} as const satisfies Record<string, HeaderDefinition>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

// biome-ignore format: one header a line
export const REQUEST_HEADERS = {
  Accept: { meaning: 'Accepted media types (RFC 9110). The parameter `format` takes precedence', example: 'text/csv, application/json;q=0.5', schema: text(1000) },
  'Accept-Language': { meaning: 'Preferred languages of the status labels (RFC 9110). A language of the token takes precedence', example: 'en-GB, fr;q=0.5', schema: text(1000) },
  'Accept-Encoding': { setByBrowser: true, meaning: 'Compressions that the client supports (RFC 9110)', example: 'zstd, br, gzip', schema: text(200) },
  'If-None-Match': { meaning: 'Entity tags of responses that the client has (RFC 9110). If one of them is current, the response is 304', example: 'W/"mBzrAKPq0HNJCcjG7WoTpA"', schema: text(1000) },
  Range: { meaning: 'One range of bytes of a Parquet or Arrow file (RFC 9110). Send a HEAD request first: it makes the service write the file and keep it until nobody has read it for 5 minutes, until another file needs its space, or until more than 16 files of the token, or 128 altogether, are kept. If the service does not keep the file, the response is the whole file', example: 'bytes=0-1023', schema: text(100) },
  'If-Match': { meaning: 'The entity tag of a Parquet or Arrow file. If the service does not have this file any more, the response is 412', example: '"mBzrAKPq0HNJCcjG7WoTpA.3q2-7wAAAAAAAAAAAAAAAA"', schema: text(1000) },
  'If-Range': { meaning: 'The entity tag of the file of which `Range` requests a part. If the service does not have this file any more, the response is the whole of a new one', example: '"mBzrAKPq0HNJCcjG7WoTpA.3q2-7wAAAAAAAAAAAAAAAA"', schema: text(100) },
  Prefer: { meaning: '`count=exact` adds the number of all records in the header X-Total-Count (RFC 7240)', example: 'count=exact', schema: text(200) },
  'X-Request-Id': { meaning: 'Your own request id, which is in the response and in the log', example: 'order-66', schema: text(64, '^[\\w.-]{1,64}$') },
} as const satisfies Record<string, RequestHeaderDefinition>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

const namesWhere = <Line>(
  headers: Readonly<Record<string, Line>>,
  isIncluded: (line: Line) => boolean,
): readonly string[] =>
  Object.entries(headers).flatMap(([name, line]) => (isIncluded(line) ? [name] : []));

/** Response headers that pages of other origins can read (Access-Control-Expose-Headers). */
export const CORS_EXPOSED_HEADERS = namesWhere<HeaderDefinition>(
  RESPONSE_HEADERS,
  ({ exposed }) => exposed === true,
);

/** Request headers that pages of other origins can send (Access-Control-Allow-Headers). */
export const CORS_REQUEST_HEADERS = [
  'Authorization',
  // Libraries and tracing tools add these to every request.
  'Content-Type',
  'traceparent',
  'tracestate',
  ...namesWhere<RequestHeaderDefinition>(
    REQUEST_HEADERS,
    ({ setByBrowser }) => setByBrowser !== true,
  ),
];

export const SUCCESS_HEADERS = namesWhere<HeaderDefinition>(
  RESPONSE_HEADERS,
  ({ successOnly }) => successOnly === true,
);
