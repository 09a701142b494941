/** The operation of each role that follows changes. */

import { CHANGES_PARAMETERS } from '../query/changes-parameters.ts';
import { CHANGE_FORMATS } from '../query/formats.ts';
import { ROLES, type Role } from '../record/records.ts';
import { exampleChanges } from './examples.ts';
import { changesOf } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  contentOf,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const changesOperation = (role: Role): Operation => ({
  path: `/api/${role}/transactions/changes`,
  id: `${role}Changes`,
  tag: 'Transactions',
  summary: `Changes of transactions since a position, for the role ${role}`,
  description:
    'Transactions that imports have added or changed, or that the token no longer sees, in the order in which the imports became visible. A change contains the record as it is now, so several changes of a transaction may appear as one. Read a list without `limit`, then follow the changes after the position in its header `Changes-After`. Whenever you reach the end of the feed, your copy has the same records as the list would have now. The link rel="next" is always there; an empty response means that there are no further changes yet.',
  roles: [role],
  parameters: CHANGES_PARAMETERS,
  requestHeaders: ['Accept', 'Accept-Language', 'Accept-Encoding', 'X-Request-Id'],
  responses: {
    200: {
      meaning: 'The next changes, none at the present end of the feed.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
        'Link',
      ],
      content: contentOf(CHANGE_FORMATS, 'The changes', {
        schema: changesOf(role),
        example: exampleChanges(role),
      }),
    },
  },
  problems: [...REPORT_PROBLEM_ORIGINS, 'changes'],
});

export const CHANGES_OPERATIONS = ROLES.map(changesOperation);
