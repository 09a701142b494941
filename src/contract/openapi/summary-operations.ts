/** The summary operation of each role. */

import { TEXT_FORMATS } from '../query/formats.ts';
import { parametersFor, SUMMARY_PARAMETERS } from '../query/parameters.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_GROUPS } from './examples.ts';
import { groupsOf } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  contentOf,
  NOT_MODIFIED,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const summaryOf = (role: Role): Operation => ({
  path: `/api/${role}/transactions/summary`,
  id: `${role}Summary`,
  tag: 'Transactions',
  summary: `Counts and sums of the transactions of a period, for the role ${role}`,
  description:
    'Counts and sums of the transactions that the list returns for the same parameters. Groups are sorted by the values of `group_by`, null last. As long as the fingerprint of a group stays the same, its transactions have not changed and need not be read again.',
  roles: [role],
  parameters: parametersFor(SUMMARY_PARAMETERS, role),
  requestHeaders: ['Accept', 'Accept-Language', 'If-None-Match', 'Accept-Encoding', 'X-Request-Id'],
  responses: {
    200: {
      meaning:
        'The groups, none if there are no transactions. Without `group_by` there is always one record, whose sums may be 0.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
      ],
      content: contentOf(TEXT_FORMATS, 'The groups', {
        schema: groupsOf(role),
        example: EXAMPLE_GROUPS[role],
      }),
    },
    304: NOT_MODIFIED,
  },
  problems: REPORT_PROBLEM_ORIGINS,
});

export const SUMMARY_OPERATIONS = ROLES.map(summaryOf);
