/** The description of an operation: its path, roles, parameters, responses and problems. */

import type { ProblemOrigin } from '../problems/explanation.ts';
import { FORMATS, type FormatName } from '../query/formats.ts';
import type { ParameterTable } from '../query/parameters.ts';
import type { Role } from '../record/records.ts';
import type { RequestHeader, ResponseHeader } from './headers.ts';

/** The content of a response in one media type. */
export interface Content {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

export interface OperationResponse {
  readonly meaning: string;
  readonly headers: readonly ResponseHeader[];
  /** By media type. Empty if the response has no body. */
  readonly content: Readonly<Record<string, Content>>;
}

export interface PathParameter {
  readonly meaning: string;
  readonly example: string;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The methods of operations that change something. */
export type WritingMethod = 'post' | 'patch' | 'delete';

export interface Operation {
  /** Below the base path; names in braces are `pathParameters`. */
  readonly path: string;
  /** GET and HEAD if undefined. */
  readonly method?: WritingMethod;
  readonly id: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description: string;
  /** The roles whose tokens can call it. Empty if no token is required. */
  readonly roles: readonly Role[];
  /** Whether it requires the code of a sign-in link instead of a token. */
  readonly takesCode?: true;
  readonly pathParameters?: Readonly<Record<string, PathParameter>>;
  readonly parameters: ParameterTable;
  readonly requestHeaders: readonly RequestHeader[];
  /** By status. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  readonly problems: readonly ProblemOrigin[];
}

export const OPERATION_TAGS = {
  Transactions: 'The transactions of a period, by role',
  Performance: 'Counts, sums of money and ratios of a period, by role',
  Directory: 'Names of programs and publishers',
  Access: 'What a token may read, its limits, and the tokens that it manages',
  Webhooks: 'Changes that the service posts to a URL',
  Service: 'Health checks and documentation, without a token',
} as const;

export type OperationTag = keyof typeof OPERATION_TAGS;

export const DEFAULT_HEADERS = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Vary',
] as const satisfies readonly ResponseHeader[];

/** Headers of responses to requests with a token. */
export const AUTHENTICATED_HEADERS = [...DEFAULT_HEADERS, 'RateLimit', 'RateLimit-Policy'] as const;

/** The origins of problems of every operation with a token. */
export const AUTHENTICATED_PROBLEM_ORIGINS = [
  'request',
  'token',
  'provider',
  'attempts',
  'parameters',
  'database',
] as const satisfies readonly ProblemOrigin[];

/** The problems of every report. */
export const REPORT_PROBLEM_ORIGINS = [...AUTHENTICATED_PROBLEM_ORIGINS, 'role', 'query'] as const;

/** The problems of every operation that manages access. */
export const MANAGEMENT_PROBLEM_ORIGINS = [
  ...AUTHENTICATED_PROBLEM_ORIGINS,
  'role',
  'management',
] as const;

export const NOT_MODIFIED: OperationResponse = {
  meaning: 'No row has changed since the response with this entity tag.',
  headers: [...AUTHENTICATED_HEADERS, 'ETag'],
  content: {},
};

/** The content of a response by format. `json` describes JSON; `what` says what files in other formats contain. */
export const contentOf = (
  formats: readonly FormatName[],
  what: string,
  json: Content,
): OperationResponse['content'] =>
  Object.fromEntries(
    formats.map((name) => [mediaTypeOf(name), name === 'json' ? json : fileContent(name, what)]),
  );

/** The media type without its parameters. */
const mediaTypeOf = (name: FormatName): string => FORMATS[name].mediaType.split(';', 1)[0] ?? '';

function fileContent(name: FormatName, what: string): Content {
  // Without `binary`, code generators have no type for a file.
  const format = FORMATS[name].isText ? {} : { format: 'binary' };
  const description = `${what} as ${FORMATS[name].meaning}`;
  return { schema: { type: 'string', ...format, description } };
}
