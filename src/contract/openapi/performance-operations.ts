/** The performance operation of each role. */

import { TEXT_FORMATS } from '../query/formats.ts';
import { parametersFor } from '../query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../query/performance-parameters.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_PERFORMANCE } from './examples.ts';
import { performanceOf } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  contentOf,
  NOT_MODIFIED,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const performanceOperation = (role: Role): Operation => ({
  path: `/api/${role}/performance`,
  id: `${role}Performance`,
  tag: 'Performance',
  summary: `Counts, sums of money and ratios of a period, for the role ${role}`,
  description:
    'Counts, sums of money and ratios of the transactions of all types that were created in a period. Sums are exact. Ratios are rounded to six decimal places, half away from zero, and null if the divisor is 0. A group without transactions has no record. With `limit`, the header Link leads to the next page.',
  roles: [role],
  parameters: parametersFor(PERFORMANCE_PARAMETERS, role),
  requestHeaders: ['Accept', 'Accept-Language', 'If-None-Match', 'Accept-Encoding', 'X-Request-Id'],
  responses: {
    200: {
      meaning:
        'The records, none if there are no transactions. Without `group_by` there is always one record, with the totals of everything.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
        'Link',
      ],
      content: contentOf(TEXT_FORMATS, 'The records', {
        schema: performanceOf(role),
        example: EXAMPLE_PERFORMANCE[role],
      }),
    },
    304: NOT_MODIFIED,
  },
  problems: REPORT_PROBLEM_ORIGINS,
});

export const PERFORMANCE_OPERATIONS = ROLES.map(performanceOperation);
