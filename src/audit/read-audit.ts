/** Reads the audit log: all lines of a period, or those of reports that concern a person. */

import * as v from 'valibot';
import { ROLES } from '../contract/record/records.ts';
import type { Reader } from '../engine/engine.ts';
import { AUDIT_EVENTS } from './audit-events.ts';
import { type LineFilter, readLines } from './audit-table.ts';
import { findPersonTransactions, PERSON_KEYS, type Person } from './person.ts';
import { matchOf } from './person-match.ts';
import type { HashValue } from './value-hash.ts';

export interface AuditQuery extends LineFilter {
  /** Only reports that may have shown this value, or were filtered by it. */
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

const REPORT = v.object({
  at: v.string(),
  role: v.picklist(ROLES),
  details: AUDIT_EVENTS.report.details,
});

/** Lines as JSON, in order of time. With a person, each has a `match`. */
export async function* readAudit(
  { engine, timeZone, hash }: AuditReadDeps,
  { person, ...filter }: AuditQuery,
): AsyncGenerator<string> {
  if (person === undefined) return yield* readLines(engine, filter);
  const transactions = await findPersonTransactions(engine, person);
  const search = { person, transactions, timeZone, hash };
  for await (const line of readLines(engine, { ...filter, event: 'report' })) {
    const { at, role, details } = v.parse(REPORT, JSON.parse(line));
    const match = matchOf({ at: new Date(at), role, details }, search);
    if (match !== undefined) yield `${line.slice(0, -1)},"match":"${match}"}`;
  }
}
