/** The operations of signing in, without a token. */

import { refTo } from '../openapi/openapi-schemas.ts';
import { DEFAULT_HEADERS, type Operation } from '../openapi/operation.ts';
import { EXAMPLE_SIGN_IN } from './sign-in-link.ts';
import { EXAMPLE_SIGN_IN_OPTIONS } from './sign-in-options.ts';

const SIGN_IN: Operation = {
  path: '/api/sign-in',
  method: 'post',
  id: 'signIn',
  tag: 'Access',
  summary: 'Sign in with the code of a link',
  description:
    'Exchanges the code of a sign-in link for its token. The code is in the fragment of the link, after `#sign-in=`, and is sent like a token in the header `Authorization: Bearer <CODE>`. It works once: if two clients send it at the same time, at most one gets the token.',
  roles: [],
  takesCode: true,
  parameters: {},
  requestHeaders: ['X-Request-Id'],
  responses: {
    200: {
      meaning: 'The token.',
      headers: DEFAULT_HEADERS,
      content: { 'application/json': { schema: refTo('SignIn'), example: EXAMPLE_SIGN_IN } },
    },
  },
  problems: ['request', 'link', 'attempts', 'parameters', 'database'],
};

const SIGN_IN_OPTIONS: Operation = {
  path: '/api/sign-in',
  id: 'signInOptions',
  tag: 'Access',
  summary: 'How users can sign in',
  description:
    'The OpenID provider through which the explorer, the web page at `/`, signs users in with an authorization code and PKCE. Null if the operator has configured none.',
  roles: [],
  parameters: {},
  requestHeaders: ['X-Request-Id'],
  responses: {
    200: {
      meaning: 'The provider, or null.',
      headers: DEFAULT_HEADERS,
      content: {
        'application/json': { schema: refTo('SignInOptions'), example: EXAMPLE_SIGN_IN_OPTIONS },
      },
    },
  },
  problems: ['request', 'provider', 'parameters'],
};

export const SIGN_IN_OPERATIONS = [SIGN_IN_OPTIONS, SIGN_IN];
