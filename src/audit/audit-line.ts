/** One line of the audit log: who did what, from where and when, as JSON. */

import * as v from 'valibot';
import { ROLES } from '../contract/record/records.ts';
import type { AuditEvent } from './audit-events.ts';

/** Who sent a request. All members are null if an operator or the service itself acted. */
export const ACTOR = {
  /** The id of the access token, or the subject of the JSON Web Token. */
  principal: v.nullable(v.string()),
  /** The name of the access token. */
  name: v.nullable(v.string()),
  role: v.nullable(v.picklist(ROLES)),
  /** The address of the client. */
  client: v.nullable(v.string()),
  request_id: v.nullable(v.string()),
};

/** A line of any version of the service, whose details may be unknown to this one. */
export const AUDIT_LINE = v.object({
  at: v.string(),
  id: v.string(),
  event: v.string(),
  ...ACTOR,
  details: v.record(v.string(), v.unknown()),
});

export type AuditLine = Readonly<v.InferOutput<typeof AUDIT_LINE>>;

const ACTOR_OBJECT = v.object(ACTOR);

export type Actor = Readonly<v.InferOutput<typeof ACTOR_OBJECT>>;

export const NO_ACTOR: Actor = {
  principal: null,
  name: null,
  role: null,
  client: null,
  request_id: null,
};

/** The maximum length of a name or a principal, which users and the identity provider choose. */
const MAX_CHARACTERS = 500;

const cut = (text: string | null): string | null => text?.slice(0, MAX_CHARACTERS) ?? null;

/**
 * The line without its line break. JSON escapes all control characters, so no value can forge a line.
 *
 * A single half of a surrogate pair becomes U+FFFD, because the database cannot parse its escape sequence.
 */
export function auditLine(
  { event, details }: AuditEvent,
  { principal, name, ...actor }: Actor,
  at: Date,
  id: string,
): string {
  const line = {
    at: at.toISOString(),
    id,
    event,
    principal: cut(principal),
    name: cut(name),
    ...actor,
    details,
  };
  const text = JSON.stringify(line);
  return text.includes(HALF_PAIR) ? JSON.stringify(line, wellFormed) : text;
}

/** How `JSON.stringify` begins to write a half of a surrogate pair. It writes whole pairs as they are. */
const HALF_PAIR = '\\ud';

const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
