/** JSON Schema of the response of `GET /api/me`. */

import { LOCALES } from './labels.ts';
import { ROLES } from './records.ts';

const count = (description: string) => ({
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: 2_147_483_647,
  description,
});

const limit = (description: string, counts: Readonly<Record<string, object>>) => ({
  type: ['object', 'null'],
  description: `${description}. Null if there is no such limit`,
  properties: counts,
  required: Object.keys(counts),
  additionalProperties: false,
});

/** The schema of the websites or programs whose transactions a token may read. */
const ownership = (of: string) => ({
  description: `The ${of} whose transactions the token may read`,
  anyOf: [
    { type: 'string', const: 'all' },
    {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
  ],
});

/** The members that `/api/me` and the tokens of `/api/admin/tokens` have in common. */
export const RIGHTS = {
  role: { type: 'string', enum: ROLES, description: 'The role, which selects the endpoint' },
  publisher_ids: ownership('websites'),
  program_ids: ownership('programs'),
  locale: {
    anyOf: [{ type: 'string', enum: LOCALES }, { type: 'null' }],
    description:
      'The language of the labels. Null if the header Accept-Language of each request decides',
  },
} as const;

const MEMBERS = {
  name: {
    type: ['string', 'null'],
    description: 'The name of the token. Null if it has none',
  },
  ...RIGHTS,
  time_zone: { type: 'string', description: 'The platform’s time zone (IANA name)' },
  currency: {
    type: ['string', 'null'],
    pattern: '^[A-Z]{3}$',
    description: 'The currency of all amounts (ISO 4217 code). Null if the operator has not set it',
  },
  may_manage_tokens: {
    type: 'boolean',
    description: 'Whether the token may manage tokens and webhooks within its own rights',
  },
  expires_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the token expires, in UTC (RFC 3339). Null if it does not',
  },
  limits: {
    type: 'object',
    description: 'The limits of the token',
    properties: {
      requests: limit('Limit of requests in a time window', {
        limit: count('Maximum number of requests in a window'),
        remaining: count('Remaining number'),
        window_seconds: count('Length of the window in seconds'),
        reset_seconds: count('Seconds until the limit is reset'),
      }),
      downloads: limit('Limit of concurrent downloads', {
        limit: count('Maximum number of concurrent downloads'),
        remaining: count('Remaining number'),
      }),
    },
    required: ['requests', 'downloads'],
    additionalProperties: false,
  },
};

export const ME_SCHEMA = {
  type: 'object',
  description: 'What the token may read, and its limits.',
  properties: MEMBERS,
  required: Object.keys(MEMBERS),
  additionalProperties: false,
} as const;
