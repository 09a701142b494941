/** Access tokens as `/api/admin/tokens` describes them, and their JSON Schemas. */

import { instantSchema, objectSchema } from '../object-schema.ts';
import type { Locale } from '../record/labels.ts';
import { RIGHTS } from '../record/me-schema.ts';
import type { Role } from '../record/records.ts';

export interface ManagedToken {
  readonly id: string;
  readonly name: string | null;
  readonly role: Role;
  /** The websites whose transactions the token may read. */
  readonly publisher_ids: readonly number[] | 'all';
  /** The programs whose transactions the token may read. */
  readonly program_ids: readonly number[] | 'all';
  readonly locale: Locale | null;
  readonly may_manage_tokens: boolean;
  /** Whether it is the token of the request. */
  readonly is_current: boolean;
  /** The id of the token that created it over the API. Null if a command or an earlier version created it. */
  readonly created_by: string | null;
  /** In UTC (RFC 3339). */
  readonly created_at: string;
  /** In UTC (RFC 3339). Null if it does not expire. */
  readonly expires_at: string | null;
  /** When the sign-in link that will give the token expires, in UTC (RFC 3339). Null if the token exists already. */
  readonly link_expires_at: string | null;
}

/** A new token, with its text. */
export interface NewManagedToken extends ManagedToken {
  readonly token: string;
}

/** The response to a revocation. */
export interface RevokedToken {
  readonly id: string;
  readonly revoked: true;
}

const ID = {
  type: 'string',
  maxLength: 100,
  description: 'The id of the token, which is not secret',
};

export const MANAGED_TOKEN_MEMBERS = {
  id: ID,
  name: {
    type: ['string', 'null'],
    description: 'Who or what uses the token. Null if it has no name',
  },
  ...RIGHTS,
  may_manage_tokens: {
    type: 'boolean',
    description: 'Whether the token may manage tokens and webhooks',
  },
  is_current: { type: 'boolean', description: 'Whether it is the token of the request' },
  created_by: {
    type: ['string', 'null'],
    maxLength: 100,
    description:
      'The id of the token that created it over the API. Null if a command created it, or an earlier version of the service',
  },
  created_at: instantSchema('When the token was created, in UTC (RFC 3339)'),
  expires_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the token expires, in UTC (RFC 3339). Null if it does not',
  },
  link_expires_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the sign-in link that gives this token expires, in UTC (RFC 3339). Null if the token exists already',
  },
};

export const MANAGED_TOKEN_SCHEMA = objectSchema(
  'An access token, without its text.',
  MANAGED_TOKEN_MEMBERS,
);

export const NEW_MANAGED_TOKEN_SCHEMA = objectSchema('A new access token.', {
  token: {
    type: 'string',
    maxLength: 100,
    description: 'The text of the token. It is not stored, so it cannot be shown again',
  },
  ...MANAGED_TOKEN_MEMBERS,
});

export const REVOKED_TOKEN_SCHEMA = objectSchema('A revoked access token.', {
  id: ID,
  revoked: { type: 'boolean', const: true },
});

export const EXAMPLE_MANAGED_TOKEN: ManagedToken = {
  id: 'Zk3vQ9xT2b',
  name: 'Agency',
  role: 'affiliate',
  publisher_ids: [345, 346],
  program_ids: 'all',
  locale: 'fr',
  may_manage_tokens: false,
  is_current: false,
  created_by: 'N4w8pLq2Rf',
  created_at: '2026-01-15T11:34:56.000Z',
  expires_at: '2026-04-15T11:34:56.000Z',
  link_expires_at: null,
};
