/** The operations that add transactions up, one a role. */

import { FORMATS, TEXT_FORMATS, type TextFormat } from '../query/formats.ts';
import { SUMMARY_PARAMETERS } from '../query/parameters.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_GROUPS } from './examples.ts';
import { groupsOf } from './openapi-schemas.ts';
import { AUTHENTICATED_HEADERS, type Content, NOT_MODIFIED, type Operation } from './operation.ts';
import { mediaTypeOf } from './transactions-operations.ts';

function contentOf(name: TextFormat, role: Role): Content {
  if (name === 'json') return { schema: groupsOf(role), example: EXAMPLE_GROUPS[role] };
  const description = `The same groups as ${FORMATS[name].meaning}`;
  return { schema: { type: 'string', description } };
}

const summaryOf = (role: Role): Operation => ({
  path: `/api/${role}/transactions/summary`,
  id: `${role}Summary`,
  tag: 'Transactions',
  summary: `What the transactions of a period add up to, for the role ${role}`,
  description:
    'The sums of the transactions that the list gives for the same question, in groups that are sorted by what they are made by, in the order of `group_by`, null last. A group has a fingerprint: while it is the same, so are the transactions, and need not be read again.',
  roles: [role],
  parameters: SUMMARY_PARAMETERS,
  requestHeaders: ['Accept', 'Accept-Language', 'If-None-Match', 'Accept-Encoding', 'X-Request-Id'],
  answers: {
    200: {
      meaning:
        'The groups; none where there are no transactions. Without `group_by` one record of all, whose sums may be 0.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
      ],
      content: Object.fromEntries(
        TEXT_FORMATS.map((name) => [mediaTypeOf(name), contentOf(name, role)]),
      ),
    },
    304: NOT_MODIFIED,
  },
  problems: ['request', 'token', 'parameters', 'question', 'database'],
});

export const SUMMARY_OPERATIONS = ROLES.map(summaryOf);
