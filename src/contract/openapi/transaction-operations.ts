/** The operation of each role that reads one transaction. */

import { LIST_PARAMETERS, TRANSACTION_PARAMETERS } from '../query/parameters.ts';
import { KINDS } from '../record/kinds.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_RECORDS } from './examples.ts';
import { recordOf } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  NOT_MODIFIED,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const transactionOf = (role: Role): Operation => ({
  path: `/api/${role}/transactions/{type}/{transaction_id}`,
  id: `${role}Transaction`,
  tag: 'Transactions',
  summary: `One transaction, for the role ${role}`,
  description:
    'The same record as in a list. The request needs no period. A transaction that the token may not read gets the same response as one that does not exist.',
  roles: [role],
  pathParameters: {
    type: {
      meaning: LIST_PARAMETERS.type.meaning,
      example: LIST_PARAMETERS.type.example,
      schema: { type: 'string', enum: KINDS },
    },
    transaction_id: {
      meaning: 'The identifier of the transaction',
      example: LIST_PARAMETERS.transaction_id.example,
      schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
  },
  parameters: TRANSACTION_PARAMETERS,
  requestHeaders: ['Accept', 'Accept-Language', 'If-None-Match', 'Accept-Encoding', 'X-Request-Id'],
  responses: {
    200: {
      meaning: 'The transaction.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
      ],
      content: {
        'application/json': { schema: recordOf(role), example: EXAMPLE_RECORDS[role][0] },
      },
    },
    304: NOT_MODIFIED,
  },
  problems: [...REPORT_PROBLEM_ORIGINS, 'transaction'],
});

export const TRANSACTION_OPERATIONS = ROLES.map(transactionOf);
