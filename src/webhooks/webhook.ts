/** A webhook as its operator has defined it: where changes are delivered, and which of them. */

import * as v from 'valibot';
import type { Principal } from '../auth/principal.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { LOCALES } from '../contract/record/labels.ts';
import { ROLES } from '../contract/record/records.ts';

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const KEY = v.object({ batch: COUNT, publisherId: COUNT, transactionId: COUNT });

/** A position in the feed of one database. */
export const POSITION = v.object({
  origin: COUNT,
  number: COUNT,
  partial: v.optional(v.object({ through: COUNT, key: KEY })),
});

export type OriginPosition = Readonly<v.InferOutput<typeof POSITION>>;

/** The position as numbers in a fixed order, from which the id of its message is made. */
export function numbersOf({ origin, number, partial }: OriginPosition): readonly number[] {
  const { batch = 0, publisherId = 0, transactionId = 0 } = partial?.key ?? {};
  return [origin, number, partial?.through ?? 0, batch, publisherId, transactionId];
}

const IDENTIFIERS = v.pipe(v.array(COUNT), v.readonly());

/** What a webhook delivers, and to whom. */
export const NEW_WEBHOOK = v.strictObject({
  url: v.string(),
  role: v.picklist(ROLES),
  /** The websites of an affiliate. */
  publisherIds: IDENTIFIERS,
  /** Empty for all. */
  programIds: IDENTIFIERS,
  types: v.pipe(v.array(v.picklist(KINDS)), v.minLength(1), v.readonly()),
  locale: v.nullable(v.picklist(LOCALES)),
  name: v.nullable(v.string()),
  /** The id of the token that adds it; absent for a command, and for webhooks of earlier versions. */
  createdBy: v.optional(v.string()),
});

export type NewWebhook = Readonly<v.InferOutput<typeof NEW_WEBHOOK>>;

export const WEBHOOK = v.object({
  ...NEW_WEBHOOK.entries,
  /** The id of the token that took it over after the creator's token was revoked; null for a command. */
  resumedBy: v.optional(v.nullable(v.string())),
  createdAt: v.string(),
  isPaused: v.boolean(),
  /** Grows with each resumption and each replay. A new generation is not stopped and has no failures. */
  generation: COUNT,
  /** Where deliveries began when the webhook was added, or at the last replay. */
  start: v.object({
    generation: COUNT,
    position: POSITION,
    /** The furthest position that was delivered before the last replay. */
    delivered: v.optional(POSITION),
  }),
  secret: v.object({
    rotation: COUNT,
    rotatedAt: v.nullable(v.string()),
    earlier: v.optional(
      v.pipe(v.array(v.object({ rotation: COUNT, rotatedAt: v.string() })), v.readonly()),
    ),
  }),
});

export type Webhook = Readonly<v.InferOutput<typeof WEBHOOK>>;

/** The token whose revocation ends the deliveries. Undefined if a command added the webhook or took it over. */
export const controllingTokenId = ({ createdBy, resumedBy }: Webhook): string | undefined =>
  resumedBy === undefined ? createdBy : (resumedBy ?? undefined);

const scopeOf = (identifiers: readonly number[]) =>
  identifiers.length === 0 ? 'all' : identifiers;

/** A webhook reads what a token with the same rights reads. */
export const principalOf = (id: string, webhook: Webhook): Principal => ({
  id: `webhook ${id}`,
  role: webhook.role,
  publisherIds: webhook.role === 'admin' ? 'all' : webhook.publisherIds,
  programIds: scopeOf(webhook.programIds),
  ...(webhook.locale === null ? {} : { locale: webhook.locale }),
});
