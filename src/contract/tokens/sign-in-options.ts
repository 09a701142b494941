/** How users can sign in to the page without a token (through an OpenID provider), and its JSON Schema. */

import { objectSchema } from '../object-schema.ts';

/** What the explorer needs to sign in a user at the provider (OpenID Connect Discovery 1.0). */
export interface ProviderSignIn {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** Further parameters of authorization requests. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint: string | null;
  /** Whether the provider names itself in its responses, in the parameter `iss` (RFC 9207). */
  readonly sends_issuer: boolean;
}

export interface SignInOptions {
  readonly provider: ProviderSignIn | null;
}

const address = (description: string) => ({ type: 'string', format: 'uri', description });

const PROVIDER = {
  issuer: address('The issuer'),
  client_id: { type: 'string', description: 'The client id of the explorer, a public client' },
  scope: { type: 'string', description: 'The scope to ask for' },
  parameters: {
    type: 'object',
    description: 'Further parameters of the authorization request',
    additionalProperties: { type: 'string' },
  },
  authorization_endpoint: address('Where the user signs in'),
  token_endpoint: address('Where the explorer gets the token'),
  end_session_endpoint: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'Where the user signs out. Null if the provider has no such page',
  },
  sends_issuer: { type: 'boolean', description: 'Whether the provider sends iss (RFC 9207)' },
};

export const SIGN_IN_OPTIONS_SCHEMA = objectSchema(
  'How users can sign in without entering a token.',
  {
    provider: {
      type: ['object', 'null'],
      description: 'The OpenID provider. Null if users cannot sign in through one',
      properties: PROVIDER,
      required: Object.keys(PROVIDER),
      additionalProperties: false,
    },
  },
);

export const EXAMPLE_SIGN_IN_OPTIONS: SignInOptions = {
  provider: {
    issuer: 'https://id.example.com',
    client_id: 'transactions-page',
    scope: 'openid',
    parameters: { resource: 'https://reports.example.com/api' },
    authorization_endpoint: 'https://id.example.com/authorize',
    token_endpoint: 'https://id.example.com/token',
    end_session_endpoint: 'https://id.example.com/logout',
    sends_issuer: true,
  },
};
