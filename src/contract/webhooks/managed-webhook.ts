/** Webhooks as `/api/admin/webhooks` describes them, and their JSON Schemas. */

import { instantSchema, objectSchema } from '../object-schema.ts';
import { KINDS, type Kind } from '../record/kinds.ts';
import type { Locale } from '../record/labels.ts';
import { RIGHTS } from '../record/me-schema.ts';
import type { Role } from '../record/records.ts';
import { MAX_WEBHOOK_URL } from './webhook-limits.ts';
import { WEBHOOK_STATES, type WebhookState } from './webhook-states.ts';

/** Times are in UTC (RFC 3339). */
export interface ManagedWebhook {
  readonly id: string;
  /** Without path and query if another token or a command added the webhook. */
  readonly url: string;
  readonly name: string | null;
  readonly role: Role;
  /** The websites whose changes are delivered. */
  readonly publisher_ids: readonly number[] | 'all';
  /** The programs whose changes are delivered. */
  readonly program_ids: readonly number[] | 'all';
  readonly types: readonly Kind[];
  readonly locale: Locale | null;
  /** The id of the token that added it. Null if a command or an earlier version added it. */
  readonly created_by: string | null;
  readonly created_at: string;
  readonly state: WebhookState;
  /** Why the last attempt failed. Null if it did not. */
  readonly error: string | null;
  /** When the first attempt to deliver the next message failed. */
  readonly failing_since: string | null;
  readonly retry_at: string | null;
  readonly delivered_at: string | null;
  /** When the import of the oldest undelivered change began. */
  readonly waiting_since: string | null;
}

/** A webhook with a secret that is shown only now: a new webhook, or one whose secret was rotated. */
export interface WebhookWithSecret extends ManagedWebhook {
  readonly secret: string;
}

/** The result of a test message. */
export interface WebhookTest {
  readonly id: string;
  readonly delivered: boolean;
  /** Why it was not delivered. */
  readonly error: string | null;
  readonly milliseconds: number;
}

/** The response to a removal. */
export interface RemovedWebhook {
  readonly id: string;
  readonly removed: true;
}

const ID = { type: 'string', maxLength: 100, description: 'The id of the webhook' };

const optionalInstant = (description: string) => ({
  type: ['string', 'null'],
  format: 'date-time',
  description: `${description}, in UTC (RFC 3339)`,
});

const ERROR = {
  type: ['string', 'null'],
  description: 'Why the last attempt failed. Null if it did not',
};

const ownership = (of: string, { anyOf }: { readonly anyOf: readonly object[] }) => ({
  description: `The ${of} whose changes are delivered`,
  anyOf,
});

const MEMBERS = {
  id: ID,
  url: {
    type: 'string',
    maxLength: MAX_WEBHOOK_URL,
    description:
      'Where messages are posted. If another token or a command added the webhook, only the origin and `/…` are shown, because the rest may contain a secret',
  },
  name: {
    type: ['string', 'null'],
    description: 'Who or what receives the messages. Null if it has no name',
  },
  role: { ...RIGHTS.role, description: 'The role whose records are delivered' },
  publisher_ids: ownership('websites', RIGHTS.publisher_ids),
  program_ids: ownership('programs', RIGHTS.program_ids),
  types: {
    type: 'array',
    items: { type: 'string', enum: KINDS },
    description: 'The types of transactions whose changes are delivered',
  },
  locale: {
    ...RIGHTS.locale,
    description: 'The language of the status labels. Null means French',
  },
  created_by: {
    type: ['string', 'null'],
    maxLength: 100,
    description:
      'The id of the token that added it. Null if a command added it, or an earlier version of the service',
  },
  created_at: instantSchema('When the webhook was added, in UTC (RFC 3339)'),
  state: {
    type: 'string',
    enum: WEBHOOK_STATES,
    description:
      'The state: active, retrying (the last attempt failed), or paused by somebody. In the other states the service has stopped the webhook: failing (all attempts failed for three days), receiver_gone (the receiver responded 410), changes_expired (changes that it had not delivered are not kept any more, a backup was restored, or the masking of IP addresses was changed), or creator_revoked (the token that added it, or the token that resumed it after such a stop, was revoked)',
  },
  error: ERROR,
  failing_since: optionalInstant('When the first attempt to deliver the next message failed'),
  retry_at: optionalInstant('When the next attempt is made after a failed one'),
  delivered_at: optionalInstant('When the last message was delivered'),
  waiting_since: optionalInstant('When the import of the oldest undelivered change began'),
};

export const MANAGED_WEBHOOK_SCHEMA = objectSchema('A webhook, without its secret.', MEMBERS);

export const WEBHOOK_WITH_SECRET_SCHEMA = objectSchema('A webhook with its new secret.', {
  secret: {
    type: 'string',
    maxLength: 100,
    description: 'The secret that signs messages (Standard Webhooks). It cannot be shown again',
  },
  ...MEMBERS,
});

export const WEBHOOK_TEST_SCHEMA = objectSchema('The result of a test message.', {
  id: ID,
  delivered: { type: 'boolean', description: 'Whether the receiver has answered with 2xx' },
  error: { ...ERROR, description: 'Why the message was not delivered. Null if it was' },
  milliseconds: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'How long the attempt took',
  },
});

export const REMOVED_WEBHOOK_SCHEMA = objectSchema('A removed webhook.', {
  id: ID,
  removed: { type: 'boolean', const: true },
});

export const EXAMPLE_MANAGED_WEBHOOK: ManagedWebhook = {
  id: 'wh_0123456789abcdef01',
  url: 'https://example.com/webhook',
  name: 'Data team',
  role: 'affiliate',
  publisher_ids: [345, 346],
  program_ids: 'all',
  types: ['leads', 'sales'],
  locale: 'fr',
  created_by: 'N4w8pLq2Rf',
  created_at: '2026-01-15T11:34:56.000Z',
  state: 'retrying',
  error: 'status 500',
  failing_since: '2026-01-16T09:00:00.000Z',
  retry_at: '2026-01-16T09:05:25.000Z',
  delivered_at: '2026-01-16T08:30:00.000Z',
  waiting_since: '2026-01-16T09:00:00.000Z',
};
