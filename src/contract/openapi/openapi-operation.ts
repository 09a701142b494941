/** An operation as an OpenAPI operation object. */

import type { ProblemOrigin } from '../problems/explanation.ts';
import { PROBLEM_CODES, PROBLEM_MEDIA_TYPE } from '../problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../problems/problem-explanations.ts';
import { MAX_URL_LENGTH, PROBLEMS, type ProblemCode, problemLine } from '../problems/problems.ts';
import {
  isArrayParameter,
  type Parameter,
  schemaOfParameter,
  valueBySchema,
} from '../query/parameters.ts';
import type { Role } from '../record/records.ts';
import {
  type HeaderDefinition,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type RequestHeader,
  type ResponseHeader,
} from './headers.ts';
import { refTo } from './openapi-schemas.ts';
import { DEFAULT_HEADERS, type Operation, type OperationResponse } from './operation.ts';

export const securityName = (role: Role): string => `${role}Token`;

/** The scheme of operations that require the code of a sign-in link. */
export const CODE_SECURITY = 'signInCode';

/** The problems of the given origins. */
export const problemsOf = (origins: readonly ProblemOrigin[]): readonly ProblemCode[] =>
  PROBLEM_CODES.filter((code) => origins.includes(PROBLEM_EXPLANATIONS[code].origin));

/** The operation object of a method. */
export function operationObject(operation: Operation) {
  const { id, tag, summary, description, roles, takesCode, responses, problems } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: takesCode
      ? [{ [CODE_SECURITY]: [] }]
      : roles.map((role) => ({ [securityName(role)]: [] })),
    parameters: parametersOf(operation),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseObject(response)]),
      ),
      ...problemObjects(problemsOf(problems), roles.length > 0),
    },
  };
}

function parametersOf({ pathParameters = {}, parameters, requestHeaders, roles }: Operation) {
  const [role = 'admin'] = roles;
  return [
    ...Object.entries(pathParameters).map(([name, { meaning, example, schema }]) => ({
      name,
      in: 'path',
      required: true,
      description: meaning,
      example: valueBySchema(example, schema),
      schema,
    })),
    ...Object.entries(parameters).map(([name, line]) => queryParameter(name, line, role)),
    ...requestHeaders.filter(isDescribed).map((name) => {
      const { meaning, example, schema }: HeaderDefinition = REQUEST_HEADERS[name];
      return { name, in: 'header', required: false, description: meaning, example, schema };
    }),
  ];
}

/** OpenAPI describes Accept by the media types of the responses (OpenAPI 3.1, 4.8.12.2). */
const isDescribed = (name: RequestHeader): boolean => name !== 'Accept';

function queryParameter(name: string, line: Parameter<unknown>, role: Role) {
  const schema = schemaOfParameter(line, role);
  return {
    name,
    in: 'query',
    required: line.required === true,
    description: line.meaning,
    // With `explode`, the parameter is repeated. Without, commas separate its values (OpenAPI 3.1, 4.8.12.3).
    ...(isArrayParameter(line, role) ? { style: 'form', explode: line.repeats === true } : {}),
    example: valueBySchema(line.example, schema),
    schema: { ...boundsOf(schema), ...schema },
  };
}

/** The format of integers, and the bounds of lists and texts that follow from the maximum length of a URL. */
function boundsOf({ type, enum: words }: Readonly<Record<string, unknown>>) {
  if (type === 'integer') return { format: 'int32' };
  if (type === 'array') return { maxItems: MAX_URL_LENGTH / 2 };
  if (type === 'boolean') return {};
  return words === undefined ? { maxLength: MAX_URL_LENGTH } : {};
}

const responseObject = ({ meaning, headers, content }: OperationResponse) => ({
  description: meaning,
  headers: headerRefs(headers),
  ...(Object.keys(content).length > 0 ? { content } : {}),
});

const headerRefs = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** One response per status, with examples of its problems. */
function problemObjects(codes: readonly ProblemCode[], isLimited: boolean) {
  const byStatus = Map.groupBy(codes, (code) => problemLine(code).status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => PROBLEMS[code].title).join('; '),
        headers: headerRefs(problemHeaders(status, isLimited)),
        content: {
          [PROBLEM_MEDIA_TYPE]: {
            schema: refTo('Problem'),
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

const HEADERS_OF_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  416: ['Content-Range'],
  426: ['Upgrade'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of a problem. */
export const problemHeaders = (status: number, isLimited: boolean): readonly ResponseHeader[] => [
  ...DEFAULT_HEADERS,
  'Content-Language',
  ...(isLimited ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ...(HEADERS_OF_STATUS[status] ?? []),
];

/** The headers as components. */
export const HEADER_OBJECTS = Object.fromEntries(
  Object.entries<HeaderDefinition>(RESPONSE_HEADERS).map(
    ([name, { meaning, example, schema, optional }]) => [
      name,
      { description: meaning, required: optional !== true, example, schema },
    ],
  ),
);
