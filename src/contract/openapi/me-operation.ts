/** The operation that describes a token to its holder. */

import { ROLES } from '../record/records.ts';
import { EXAMPLE_ME } from './examples.ts';
import { refTo } from './openapi-schemas.ts';
import { AUTHENTICATED_HEADERS, type Operation } from './operation.ts';

export const ME_OPERATION: Operation = {
  path: '/api/me',
  id: 'me',
  tag: 'Access',
  summary: 'What the token may read',
  description:
    'The role, websites, programs, language, time zone, currency, expiry and limits of the token. The call counts as a request.',
  roles: ROLES,
  parameters: {},
  requestHeaders: ['X-Request-Id'],
  responses: {
    200: {
      meaning: 'The description of the token.',
      headers: AUTHENTICATED_HEADERS,
      content: { 'application/json': { schema: refTo('Me'), example: EXAMPLE_ME } },
    },
  },
  problems: ['request', 'token', 'parameters', 'database'],
};
