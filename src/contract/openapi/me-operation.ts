/** The operation that tells askers about themselves. */

import { ROLES } from '../record/records.ts';
import { EXAMPLE_ME } from './examples.ts';
import { refTo } from './openapi-schemas.ts';
import { AUTHENTICATED_HEADERS, type Operation } from './operation.ts';

export const ME_OPERATION: Operation = {
  path: '/api/me',
  id: 'me',
  tag: 'Access',
  summary: 'Who the token is for',
  description:
    'The role, the websites or programs, the language, the time zone, the expiry, the limits and what is left of them. It counts as a request itself.',
  roles: ROLES,
  parameters: {},
  requestHeaders: ['X-Request-Id'],
  answers: {
    200: {
      meaning: 'What is known.',
      headers: AUTHENTICATED_HEADERS,
      content: { 'application/json': { schema: refTo('Me'), example: EXAMPLE_ME } },
    },
  },
  problems: ['request', 'token', 'parameters', 'database'],
};
