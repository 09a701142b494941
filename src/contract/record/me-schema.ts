/** JSON Schema of what `GET /api/me` tells. */

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
  description: `${description}; null where there is no such limit`,
  properties: counts,
  required: Object.keys(counts),
  additionalProperties: false,
});

const ownership = (of: string) => ({
  description: `The ${of} whose transactions are theirs to read`,
  anyOf: [
    { type: 'string', const: 'all' },
    {
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
  ],
});

const MEMBERS = {
  role: { type: 'string', enum: ROLES, description: 'The role, and with it the endpoint' },
  publisher_ids: ownership('websites'),
  program_ids: ownership('programs'),
  locale: {
    type: ['string', 'null'],
    enum: [...LOCALES, null],
    description: 'The language of the labels; null: that of the request',
  },
  time_zone: { type: 'string', description: 'The platform’s time zone (IANA name)' },
  expires_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the access ends, in UTC (RFC 3339); null: it does not',
  },
  limits: {
    type: 'object',
    description: 'What is left of the limits',
    properties: {
      requests: limit('Requests in a window of time', {
        limit: count('Requests in a window'),
        remaining: count('What is left of them'),
        window_seconds: count('The length of the window'),
        reset_seconds: count('Seconds until all of them are there again'),
      }),
      downloads: limit('Answers on their way at a time', {
        limit: count('Answers at a time'),
        remaining: count('What is left of them'),
      }),
    },
    required: ['requests', 'downloads'],
    additionalProperties: false,
  },
};

export const ME_SCHEMA = {
  type: 'object',
  description: 'What the service knows of whoever asks.',
  properties: MEMBERS,
  required: Object.keys(MEMBERS),
  additionalProperties: false,
} as const;
