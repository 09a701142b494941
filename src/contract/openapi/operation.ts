/** What is known of an operation: its path, who may ask, its question, its answers and its problems. */

import type { ProblemOrigin } from '../problems/problem-explanations.ts';
import type { ParameterTable } from '../query/parameters.ts';
import type { Role } from '../record/records.ts';
import type { RequestHeader, ResponseHeader } from './headers.ts';

/** One form of an answer. */
export interface Content {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

export interface Answer {
  readonly meaning: string;
  readonly headers: readonly ResponseHeader[];
  /** By media type; none where the answer has no body. */
  readonly content: Readonly<Record<string, Content>>;
}

export interface Operation {
  /** Below the base path; what stands in braces is one of `places`. */
  readonly path: string;
  readonly id: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description: string;
  /** The roles whose tokens may ask; none: open to everyone. */
  readonly roles: readonly Role[];
  readonly pathParameters?: Readonly<
    Record<string, { meaning: string; values: readonly string[] }>
  >;
  readonly parameters: ParameterTable;
  readonly requestHeaders: readonly RequestHeader[];
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  readonly problems: readonly ProblemOrigin[];
}

export const OPERATION_TAGS = {
  Transactions: 'The transactions of a period, by role',
  Access: 'What a token may read, and what is left of its limits',
  Service: 'Whether the service works, and what explains it; open to everyone',
} as const;

export type OperationTag = keyof typeof OPERATION_TAGS;

export const DEFAULT_HEADERS = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Vary',
] as const satisfies readonly ResponseHeader[];

/** Of answers to whoever sent a token. */
export const AUTHENTICATED_HEADERS = [...DEFAULT_HEADERS, 'RateLimit', 'RateLimit-Policy'] as const;

/** To whoever sent the tag of an answer that is still right. */
export const NOT_MODIFIED: Answer = {
  meaning: 'No row of the answer that the tag stands for has changed.',
  headers: [...AUTHENTICATED_HEADERS, 'ETag'],
  content: {},
};
