/** The OpenAPI 3.1 document of the service, made from the tables. */

import { exampleProblem } from '../problems/problem-body.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { ROLES, type Role } from '../record/records.ts';
import { VERSION } from '../version.ts';
import { HEADER_OBJECTS, operationObject, problemsOf, securityName } from './openapi-operation.ts';
import { SCHEMAS } from './openapi-schemas.ts';
import { OPERATION_TAGS } from './operation.ts';
import { OPERATIONS } from './operations.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: OperationObject }>>;
  readonly [member: string]: unknown;
}

export type OperationObject = ReturnType<typeof operationObject>;

const DESCRIPTION = `The tracking transactions of an affiliate-marketing platform, to be read and never changed.

- Every operation answers GET, and HEAD with the same headers and no body. Other methods are refused with 405.
- Every refusal is \`application/problem+json\` (RFC 9457); its \`type\` is the address of a page that explains it.
- Dates and times are in the time zone of the platform.
- New optional parameters, fields, headers and problem codes may come: ignore what you do not know.`;

/** Two schemes of the same form, as a token of one role is none of the other. */
const securityScheme = (role: Role) => ({
  type: 'http',
  scheme: 'bearer',
  description: `A token of the role ${role}: one of the service’s own, made by its operator, or a JSON Web Token of the configured identity provider, which is checked as RFC8725 demands.`,
});

/** Other methods than GET have no operation here, so what refuses them is told in words. */
const CODES_OF_OPERATIONS = problemsOf(OPERATIONS.flatMap(({ problems }) => problems));

/** The document of a service that is mounted at the base path. */
export function openApiDocument(basePath: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Transactions reporting',
      version: VERSION,
      summary: 'Reports the tracking transactions of an affiliate-marketing platform',
      description: DESCRIPTION,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: basePath === '' ? '/' : basePath,
        description: 'This server, in production or wherever else it runs',
        'x-internal': false,
      },
    ],
    tags: Object.entries(OPERATION_TAGS).map(([name, description]) => ({ name, description })),
    security: ROLES.map((role) => ({ [securityName(role)]: [] })),
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [operation.path, { get: operationObject(operation) }]),
    ),
    components: {
      securitySchemes: Object.fromEntries(
        ROLES.map((role) => [securityName(role), securityScheme(role)]),
      ),
      schemas: SCHEMAS,
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
