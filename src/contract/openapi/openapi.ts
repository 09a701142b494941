/** The OpenAPI 3.1 document of the service, derived from the tables. */

import { currencyNote, withCurrency } from '../amounts.ts';
import { exampleProblem } from '../problems/problem-body.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { ROLES, type Role } from '../record/records.ts';
import { VERSION } from '../version.ts';
import {
  CODE_SECURITY,
  HEADER_OBJECTS,
  operationObject,
  problemsOf,
  securityName,
} from './openapi-operation.ts';
import { SCHEMAS } from './openapi-schemas.ts';
import { OPERATION_TAGS, type WritingMethod } from './operation.ts';
import { OPERATIONS } from './operations.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly [member: string]: unknown;
}

/** The operations of a path by method. */
export type PathItem = { readonly [method in 'get' | WritingMethod]?: OperationObject };

export type OperationObject = ReturnType<typeof operationObject>;

const descriptionWith = (
  currency: string | undefined,
) => `An API for the tracking transactions of an affiliate-marketing platform.

- Every operation with GET supports HEAD too. Other methods exist only for tokens, sign-in links, webhooks and signing in. On other paths they get the status 405.
- All parameters are in the URL. Requests have no body.
- Every error is \`application/problem+json\` (RFC 9457). Its \`type\` is the URL of a page that explains it.
- Dates and times are in the platform's time zone.
- ${currencyNote(currency)}
- A parameter with several values takes them separated by commas, repeated, or in brackets: \`status=1,2\`, \`status=1&status=2\`, \`status[]=1&status[]=2\`. In \`clickid\`, \`subid\` and \`device_type\`, a comma is part of the value: repeat the parameter instead.
- New optional parameters, fields, headers and problem codes can be added. Ignore those that you do not know.`;

/** One scheme per role, because a token of one role is not valid for the other. */
const securityScheme = (role: Role) => ({
  type: 'http',
  scheme: 'bearer',
  description: `A token with the role ${role}: issued by the operator of the service, or a JSON Web Token of the configured identity provider, validated as RFC8725 requires.`,
});

const CODE_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The code of a sign-in link, which is valid once and for 15 minutes. It is sent as bearer tokens are (RFC6750).',
};

/** The problems of operations. `method_not_allowed` belongs to none; the description of the document mentions it. */
const CODES_OF_OPERATIONS = problemsOf(OPERATIONS.flatMap(({ problems }) => problems));

const PATHS = Object.fromEntries(
  Map.groupBy(OPERATIONS, ({ path }) => path)
    .entries()
    .map(([path, operations]): [string, PathItem] => [
      path,
      Object.fromEntries(
        operations.map((operation) => [operation.method ?? 'get', operationObject(operation)]),
      ),
    ]),
);

/** The document of a service that is mounted at a base path, with the platform's currency if it is set. */
export function openApiDocument(
  basePath: string,
  currency?: string,
  serverUrl = basePath === '' ? '/' : basePath,
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Transactions reporting',
      version: VERSION,
      summary: 'Reports the tracking transactions of an affiliate-marketing platform',
      description: descriptionWith(currency),
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: serverUrl,
        description: 'This server',
        'x-internal': false,
      },
    ],
    tags: Object.entries(OPERATION_TAGS).map(([name, description]) => ({ name, description })),
    security: ROLES.map((role) => ({ [securityName(role)]: [] })),
    paths: PATHS,
    components: {
      securitySchemes: {
        ...Object.fromEntries(ROLES.map((role) => [securityName(role), securityScheme(role)])),
        [CODE_SECURITY]: CODE_SCHEME,
      },
      schemas: currency === undefined ? SCHEMAS : withCurrency(SCHEMAS, currency),
      examples: Object.fromEntries(
        CODES_OF_OPERATIONS.map((code) => [
          code,
          { summary: PROBLEMS[code].title, value: exampleProblem(code, basePath) },
        ]),
      ),
      headers: HEADER_OBJECTS,
    },
  };
}
