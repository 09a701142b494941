/** The list operation of each role. */

import { FORMAT_NAMES } from '../query/formats.ts';
import { LIST_PARAMETERS, parametersFor } from '../query/parameters.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_RECORDS } from './examples.ts';
import { recordsSchema } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  contentOf,
  NOT_MODIFIED,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const WHOSE = {
  admin:
    'all transactions, or only those of its own programs if it is limited to some, with all fields',
  affiliate: 'the transactions of its websites, with the fields for affiliates',
} as const;

const HEADERS = [
  ...AUTHENTICATED_HEADERS,
  'ETag',
  'Content-Language',
  'Content-Disposition',
  'Accept-Ranges',
  'Link',
  'Changes-After',
  'X-Total-Count',
  'Preference-Applied',
] as const;

const transactionsOf = (role: Role): Operation => ({
  path: `/api/${role}/transactions`,
  id: `${role}Transactions`,
  tag: 'Transactions',
  summary: `Transactions of a period, for the role ${role}`,
  description: `A token of the role ${role} reads ${WHOSE[role]}. A period can have any length. The response is streamed. If the connection closes before the last record, the HTTP client reports an error: do not use what has arrived.`,
  roles: [role],
  parameters: parametersFor(LIST_PARAMETERS, role),
  requestHeaders: [
    'Accept',
    'Accept-Language',
    'If-None-Match',
    'Accept-Encoding',
    'Range',
    'If-Match',
    'If-Range',
    'Prefer',
    'X-Request-Id',
  ],
  responses: {
    200: {
      meaning: 'The transactions, an empty list if there are none.',
      headers: [...HEADERS, 'Content-Encoding'],
      content: contentOf(FORMAT_NAMES, 'The records', {
        schema: recordsSchema(role),
        example: EXAMPLE_RECORDS[role],
      }),
    },
    206: {
      meaning:
        'The part of a Parquet or Arrow file that `Range` requests. `Content-Type` is that of the file.',
      headers: [...HEADERS, 'Content-Range'],
      // Without content, because code generators would add it to the content of 200.
      content: {},
    },
    304: NOT_MODIFIED,
  },
  problems: [...REPORT_PROBLEM_ORIGINS, 'file'],
});

export const LIST_OPERATIONS = ROLES.map(transactionsOf);
