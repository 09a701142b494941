/** Tokens and sign-in links as JSON: in the output of commands, and on the control socket. */

import * as v from 'valibot';
import type { NewToken } from '../auth/new-token.ts';
import type { TokenRecord } from '../auth/token-record.ts';
import { LOCALES } from '../contract/record/labels.ts';
import { ROLES } from '../contract/record/records.ts';
import { readValue } from '../read-json.ts';

const IDENTIFIER = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const IDENTIFIERS = v.pipe(v.array(IDENTIFIER), v.readonly());

const TIME = v.pipe(v.string(), v.isoTimestamp());

/** The record of a token in JSON; times are ISO 8601 in UTC. */
export const TOKEN_JSON = v.object({
  id: v.string(),
  role: v.picklist(ROLES),
  publisher_ids: IDENTIFIERS,
  program_ids: IDENTIFIERS,
  locale: v.nullable(v.picklist(LOCALES)),
  name: v.nullable(v.string()),
  // A server of an earlier version does not send it.
  may_manage_tokens: v.optional(v.boolean(), false),
  // A server of an earlier version does not send it.
  created_by: v.optional(v.nullable(v.string()), null),
  created_at: TIME,
  expires_at: v.nullable(TIME),
  revoked_at: v.nullable(TIME),
  // A server of an earlier version does not send it.
  link_expires_at: v.optional(v.nullable(TIME), null),
});

export type TokenJson = Readonly<v.InferOutput<typeof TOKEN_JSON>>;

const timeOrNull = (date: Date | undefined): string | null => date?.toISOString() ?? null;

const dateOf = (time: string | null): Date | undefined =>
  time === null ? undefined : new Date(time);

export const tokenJson = (record: TokenRecord): TokenJson => ({
  id: record.id,
  role: record.role,
  publisher_ids: record.publisherIds,
  program_ids: record.programIds,
  locale: record.locale ?? null,
  name: record.name ?? null,
  may_manage_tokens: record.mayManageTokens,
  created_by: record.createdBy ?? null,
  created_at: record.createdAt.toISOString(),
  expires_at: timeOrNull(record.expiresAt),
  revoked_at: timeOrNull(record.revokedAt),
  link_expires_at: timeOrNull(record.linkExpiresAt),
});

export const tokenRecord = (json: TokenJson): TokenRecord => ({
  id: json.id,
  role: json.role,
  publisherIds: json.publisher_ids,
  programIds: json.program_ids,
  locale: json.locale ?? undefined,
  name: json.name ?? undefined,
  mayManageTokens: json.may_manage_tokens,
  createdBy: json.created_by ?? undefined,
  createdAt: new Date(json.created_at),
  expiresAt: dateOf(json.expires_at),
  revokedAt: dateOf(json.revoked_at),
  linkExpiresAt: dateOf(json.link_expires_at),
});

const RECORD = v.pipe(TOKEN_JSON, v.transform(tokenRecord));

/** A new token, and a new sign-in link, as a server describes them. */
export const CREATED_TOKEN = v.object({ token: v.string(), record: RECORD });
export const CREATED_LINK = v.object({ code: v.string(), record: RECORD });

/** Strict, because a token must not lose a restriction that this version does not know. */
const NEW_TOKEN = v.pipe(
  v.strictObject({
    role: v.picklist(ROLES),
    publisherIds: IDENTIFIERS,
    programIds: IDENTIFIERS,
    locale: v.optional(v.picklist(LOCALES)),
    name: v.optional(v.string()),
    mayManageTokens: v.optional(v.boolean()),
    expiresAt: v.optional(
      v.pipe(
        TIME,
        v.transform((time) => new Date(time)),
      ),
    ),
  }),
  v.check(
    ({ role, publisherIds }) => (role === 'affiliate') === publisherIds.length > 0,
    'An affiliate needs publisherIds, an admin must have none',
  ),
  v.check(
    ({ role, mayManageTokens }) => role === 'admin' || !mayManageTokens,
    'Only an admin may manage tokens',
  ),
);

/** Parses the body of a request for a new token; throws an UnexpectedJson. */
export const readNewToken = (body: unknown): NewToken => readValue(NEW_TOKEN, body);
