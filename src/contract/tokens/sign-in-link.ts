/** Sign-in links and what their exchange returns, with JSON Schemas. */

import { objectSchema } from '../object-schema.ts';
import {
  EXAMPLE_MANAGED_TOKEN,
  MANAGED_TOKEN_MEMBERS,
  type ManagedToken,
} from './managed-token.ts';
import { signInPath } from './sign-in-address.ts';

/** A new link, and the token that it will give. */
export interface NewSignInLink extends ManagedToken {
  /** Without a host if the service does not know the host under which clients reach it. */
  readonly url: string;
}

/** The response to the exchange of a code. */
export interface SignIn {
  readonly token: string;
  /** In UTC (RFC 3339). Null if it does not expire. */
  readonly expires_at: string | null;
}

export const NEW_SIGN_IN_LINK_SCHEMA = objectSchema(
  'A new sign-in link, and the token that it will give.',
  {
    url: {
      type: 'string',
      format: 'uri-reference',
      maxLength: 2048,
      description:
        'The link to the explorer. It contains the code, which is not stored and cannot be shown again. The link has no host if neither PUBLIC_URL nor a trusted proxy names one',
    },
    ...MANAGED_TOKEN_MEMBERS,
  },
);

export const SIGN_IN_SCHEMA = objectSchema('The token of a sign-in link.', {
  token: {
    type: 'string',
    maxLength: 100,
    description: 'The text of the token. It is not stored, so it cannot be shown again',
  },
  expires_at: MANAGED_TOKEN_MEMBERS.expires_at,
});

export const EXAMPLE_SIGN_IN_LINK: NewSignInLink = {
  url: `https://reports.example.com${signInPath('trl_0123456789ABCDEFGHIJKLMNOPQRSTUV4YN3lh')}`,
  ...EXAMPLE_MANAGED_TOKEN,
  link_expires_at: '2026-01-15T11:49:56.000Z',
};

export const EXAMPLE_SIGN_IN: SignIn = {
  token: 'trx_0123456789ABCDEFGHIJKLMNOPQRSTUV1WPQHZ',
  expires_at: EXAMPLE_MANAGED_TOKEN.expires_at,
};
