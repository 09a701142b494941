/** The body of a problem (RFC 9457): its members, its JSON Schema and examples. */

import { LIST_PARAMETERS } from '../query/parameters.ts';
import {
  MAX_URL_LENGTH,
  type ParameterFault,
  PROBLEMS,
  type Problem,
  type ProblemCode,
} from './problems.ts';

export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The media type of every problem. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** A problem as clients read it. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly errors?: readonly ParameterFault[];
}

/** The code as it is written in URLs. */
export const problemSlug = (code: ProblemCode): string => code.replaceAll('_', '-');

/** The path, below the base path, of the page that the problem's `type` refers to. */
export const problemPath = (code: ProblemCode): string => `/problems/${problemSlug(code)}`;

/** The members of a problem, in order. */
export function problemBody(
  { code, faults, hint }: Pick<Problem, 'code' | 'faults' | 'hint'>,
  requestId: string,
  basePath: string,
): ProblemBody {
  const { title, status } = PROBLEMS[code];
  const detail = [PROBLEMS[code].detail, hint].filter((text) => text !== '').join(' ');
  const type = basePath + problemPath(code);
  const errors = faults.length > 0 ? { errors: faults } : {};
  return { type, title, status, detail, code, request_id: requestId, ...errors };
}

const FAULTS: readonly ParameterFault[] = [
  {
    parameter: 'typ',
    code: 'unknown',
    detail: 'Unknown parameter. Did you mean "type"?',
  },
  {
    parameter: 'type',
    code: 'missing',
    detail: `Is required, for example type=${LIST_PARAMETERS.type.example}.`,
  },
];

/** An example of a problem. */
export const exampleProblem = (code: ProblemCode, basePath: string): ProblemBody =>
  problemBody(
    { code, faults: code === 'invalid_parameters' ? FAULTS : [], hint: '' },
    '0198f3c2-5b1e-4c55-9d3a-7f6f2f0a9c11',
    basePath,
  );

const line = (description: string, maxLength: number) => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength,
});

const FAULT_CODES = [
  'unknown',
  'repeated',
  'empty',
  'missing',
  'invalid',
] as const satisfies readonly ParameterFault['code'][];

export const PARAMETER_FAULT_SCHEMA = {
  type: 'object',
  description: 'An invalid parameter of a request.',
  properties: {
    parameter: {
      ...line('The name that was sent, or that of the missing required parameter', MAX_URL_LENGTH),
      minLength: 0,
    },
    code: { type: 'string', enum: FAULT_CODES, description: 'The kind of fault' },
    detail: line('What is valid, for people', 2000),
  },
  required: ['parameter', 'code', 'detail'],
  additionalProperties: false,
} as const;

export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Why a request failed (RFC 9457).',
  properties: {
    type: {
      ...line('The URL of the page that explains the problem, relative to this server', 200),
      format: 'uri-reference',
    },
    title: line('A short title, for people', 100),
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code',
    },
    detail: line('What the client can do, for people', 2000),
    code: {
      type: 'string',
      enum: PROBLEM_CODES,
      description: 'The code of the problem, for programs',
    },
    request_id: {
      ...line('The request id, as in the header X-Request-Id', 64),
      pattern: '^[\\w.-]{1,64}$',
    },
    errors: {
      type: 'array',
      description: 'All invalid parameters, if the problem is invalid_parameters',
      items: { $ref: '#/components/schemas/ParameterFault' },
      minItems: 1,
      // Each parameter takes at least one character and a separator.
      maxItems: MAX_URL_LENGTH / 2,
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  additionalProperties: false,
} as const;
