/** Reads the audit log: all lines of a period, or those of reports and webhooks that concern a person. */

import * as v from 'valibot';
import { ROLES } from '../contract/record/records.ts';
import type { Reader } from '../engine/engine.ts';
import { AUDIT_EVENTS } from './audit-events.ts';
import { type LineFilter, readLines } from './audit-table.ts';
import { findPersonTransactions, PERSON_KEYS, type Person } from './person.ts';
import { type Match, matchOf, type PersonSearch, webhookMatch } from './person-match.ts';
import type { HashValue } from './value-hash.ts';

export interface AuditQuery extends LineFilter {
  readonly event?: string | undefined;
  /** Only reports that may have shown this value, or were filtered by it, and webhooks that may have delivered it. */
  readonly person?: Person | undefined;
}

export const AUDIT_QUERY = v.strictObject({
  since: v.number(),
  until: v.optional(v.number()),
  principal: v.optional(v.string()),
  event: v.optional(v.string()),
  person: v.optional(v.strictObject({ key: v.picklist(PERSON_KEYS), value: v.string() })),
});

interface AuditReadDeps {
  readonly engine: Reader;
  readonly timeZone: string;
  readonly hash: HashValue;
}

const PERSON_LINE = v.variant('event', [
  v.object({
    event: v.literal('report'),
    at: v.string(),
    role: v.picklist(ROLES),
    details: AUDIT_EVENTS.report.details,
  }),
  v.object({ event: v.literal('webhook_added'), details: AUDIT_EVENTS.webhook_added.details }),
]);

const CHANGED_WEBHOOK = v.object({
  at: v.string(),
  details: AUDIT_EVENTS.webhook_changed.details,
});

/** The events whose lines are searched for a person. */
export const PERSON_EVENTS = PERSON_LINE.options.map(({ entries }) => entries.event.literal);

/** Lines as JSON, in order of time. With a person, each has a `match`. */
export async function* readAudit(
  { engine, timeZone, hash }: AuditReadDeps,
  { person, ...filter }: AuditQuery,
): AsyncGenerator<string> {
  if (person === undefined) return yield* readLines(engine, filter);
  const transactions = await findPersonTransactions(engine, person);
  const removals = filter.event === 'report' ? new Map<string, number>() : await removalsIn(engine);
  const search = { person, transactions, timeZone, hash };
  for (const part of personFilters(filter)) {
    for await (const line of readLines(engine, part)) {
      const match = lineMatch(line, search, removals, filter.since);
      if (match !== undefined) yield `${line.slice(0, -1)},"match":"${match}"}`;
    }
  }
}

/** When webhooks were removed, in milliseconds since 1970, by their ids. */
async function removalsIn(engine: Reader): Promise<ReadonlyMap<string, number>> {
  const removals = new Map<string, number>();
  for await (const line of readLines(engine, { since: 0, event: 'webhook_changed' })) {
    const { at, details } = v.parse(CHANGED_WEBHOOK, JSON.parse(line));
    if (details.change === 'removed') removals.set(details.webhook_id, Date.parse(at));
  }
  return removals;
}

/** Webhooks that were added before the period come first. They count too, because a webhook goes on delivering. */
function personFilters({ event, ...filter }: Omit<AuditQuery, 'person'>): readonly LineFilter[] {
  const { since, until = since } = filter;
  const period = { ...filter, event: event ?? PERSON_EVENTS };
  if (event === 'report') return [period];
  const earlier = { since: 0, until: Math.min(since, until), event: 'webhook_added' };
  return [{ ...filter, ...earlier }, period];
}

/** A webhook that was removed before the period has sent nothing in it. */
function lineMatch(
  line: string,
  search: PersonSearch,
  removals: ReadonlyMap<string, number>,
  since: number,
): Match | undefined {
  const found = v.parse(PERSON_LINE, JSON.parse(line));
  if (found.event === 'webhook_added') {
    const removedAt = removals.get(found.details.webhook_id) ?? Number.POSITIVE_INFINITY;
    return removedAt < since ? undefined : webhookMatch(found.details, search, removedAt);
  }
  return matchOf({ ...found, at: new Date(found.at) }, search);
}
