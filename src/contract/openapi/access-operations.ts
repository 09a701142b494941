/** The operations of access: what a token may read, and the tokens and sign-in links that it manages. */

import { ROLES } from '../record/records.ts';
import { EXAMPLE_MANAGED_TOKEN } from '../tokens/managed-token.ts';
import { EXAMPLE_SIGN_IN_LINK } from '../tokens/sign-in-link.ts';
import { TOKEN_PARAMETERS } from '../tokens/token-parameters.ts';
import { EXAMPLE_ME } from './examples.ts';
import { refTo } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  AUTHENTICATED_PROBLEM_ORIGINS,
  MANAGEMENT_PROBLEM_ORIGINS,
  type Operation,
} from './operation.ts';

const ME_OPERATION: Operation = {
  path: '/api/me',
  id: 'me',
  tag: 'Access',
  summary: 'What the token may read',
  description:
    'The role, websites, programs, language, time zone, currency, expiry and limits of the token, its name, and whether it manages tokens. The call counts towards the request limit.',
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
  problems: AUTHENTICATED_PROBLEM_ORIGINS,
};

const TOKENS_PATH = '/api/admin/tokens';

const RIGHTS =
  'Requires a token that the operator created with `--may-manage-tokens`. A token that is limited to programs manages only tokens that are limited to some of its programs.';

/** What the operations of managed tokens have in common. */
const MANAGEMENT = {
  tag: 'Access',
  roles: ['admin'],
  requestHeaders: ['X-Request-Id'],
  problems: [...MANAGEMENT_PROBLEM_ORIGINS, 'managed-token'],
} as const satisfies Partial<Operation>;

const LIST_TOKENS: Operation = {
  ...MANAGEMENT,
  path: TOKENS_PATH,
  id: 'listTokens',
  summary: 'Access tokens',
  description: `Lists the tokens that are valid or have expired in the last 30 days, newest first. The texts of the tokens are not shown. Sign-in links that can still be used come first. ${RIGHTS}`,
  parameters: {},
  responses: {
    200: {
      meaning: 'The tokens.',
      headers: AUTHENTICATED_HEADERS,
      content: {
        'application/json': {
          schema: {
            type: 'array',
            description: 'The tokens, newest first.',
            items: refTo('ManagedToken'),
          },
          example: [EXAMPLE_MANAGED_TOKEN],
        },
      },
    },
  },
};

const CREATE_TOKEN: Operation = {
  ...MANAGEMENT,
  path: TOKENS_PATH,
  method: 'post',
  id: 'createToken',
  problems: [...MANAGEMENT.problems, 'new-token'],
  summary: 'Create an access token',
  description: `The response has the text of the new token, which is not stored and cannot be shown again. The new token has at most the rights of the token of the request, expires no later than it, and cannot manage tokens. ${RIGHTS}`,
  parameters: TOKEN_PARAMETERS,
  responses: {
    201: {
      meaning: 'The new token.',
      headers: AUTHENTICATED_HEADERS,
      content: {
        'application/json': {
          schema: refTo('NewManagedToken'),
          example: {
            token: 'trx_0123456789ABCDEFGHIJKLMNOPQRSTUV1WPQHZ',
            ...EXAMPLE_MANAGED_TOKEN,
          },
        },
      },
    },
  },
};

const REVOKE_TOKEN: Operation = {
  ...MANAGEMENT,
  path: `${TOKENS_PATH}/{id}`,
  method: 'delete',
  id: 'revokeToken',
  summary: 'Revoke an access token',
  description: `Every server refuses the token within 5 seconds and ends its downloads. The id of a sign-in link revokes the link and the token that it gave. Only the token itself or the operator can revoke a token that manages tokens. ${RIGHTS}`,
  pathParameters: {
    id: {
      meaning: 'The id of the token',
      example: EXAMPLE_MANAGED_TOKEN.id,
      schema: { type: 'string', minLength: 1, maxLength: 100 },
    },
  },
  parameters: {},
  responses: {
    200: {
      meaning: 'The token is revoked.',
      headers: AUTHENTICATED_HEADERS,
      content: {
        'application/json': {
          schema: refTo('RevokedToken'),
          example: { id: EXAMPLE_MANAGED_TOKEN.id, revoked: true },
        },
      },
    },
  },
};

const CREATE_LINK: Operation = {
  ...MANAGEMENT,
  path: '/api/admin/sign-in-links',
  method: 'post',
  id: 'createSignInLink',
  problems: [...MANAGEMENT.problems, 'new-link', 'new-token'],
  summary: 'Create a sign-in link',
  description: `The response has a link to the explorer, the web page at \`/\`. The link contains a code that is valid once and for 15 minutes. The first person who opens the link is signed in with a new token, which nobody else sees. The code is not stored and cannot be shown again. The new token can have the same rights as one of \`POST ${TOKENS_PATH}\`. ${RIGHTS}`,
  parameters: TOKEN_PARAMETERS,
  responses: {
    201: {
      meaning: 'The new link.',
      headers: AUTHENTICATED_HEADERS,
      content: {
        'application/json': { schema: refTo('NewSignInLink'), example: EXAMPLE_SIGN_IN_LINK },
      },
    },
  },
};

export const ACCESS_OPERATIONS = [
  ME_OPERATION,
  LIST_TOKENS,
  CREATE_TOKEN,
  REVOKE_TOKEN,
  CREATE_LINK,
];
