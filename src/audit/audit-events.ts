/** The table of audit events: what each means, and its details. */

import * as v from 'valibot';
import { PROBLEMS } from '../contract/problems/problems.ts';
import { DIRECTORIES } from '../contract/record/directory.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { ROLES } from '../contract/record/records.ts';
import { STOPPED_STATES } from '../contract/webhooks/webhook-states.ts';
import { ERASURE_MODES } from '../schema/erasure-tables.ts';
import { AUDITED_SCOPE, QUESTION } from './audit-question.ts';

interface EventDefinition {
  readonly meaning: string;
  readonly details: v.GenericSchema;
}

const CODE = v.nullable(v.picklist(Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]));

/** How a report ended. `cut`: the service ended the response early. `client_left`: the client did. */
export const REPORT_OUTCOMES = [
  'complete',
  'not_modified',
  'cut',
  'client_left',
  'refused',
] as const;

const COUNT = v.number();

/** The user of the operating system who runs the process that acted: a command or the service. */
const USER = v.string();

/** Only in lines of requests that a tool of the MCP server sent. */
const VIA = v.exactOptional(v.literal('mcp'));

/** A new token and its rights. */
const NEW_TOKEN = v.object({
  user: v.nullable(USER),
  token_id: v.string(),
  token_name: v.nullable(v.string()),
  token_role: v.picklist(ROLES),
  publisher_ids: AUDITED_SCOPE,
  program_ids: AUDITED_SCOPE,
  may_manage_tokens: v.boolean(),
  expires_at: v.nullable(v.string()),
});

/** What an erasure erases, and the hashes of the values by which it finds transactions. */
const ERASURE = v.object({
  user: USER,
  run: v.string(),
  mode: v.picklist(ERASURE_MODES),
  selectors: v.array(v.object({ field: v.string(), values: v.array(v.string()) })),
});

/** How an import ended. */
export const IMPORT_OUTCOMES = ['imported', 'refused', 'failed', 'disk_full', 'aborted'] as const;

/** One event per row of the table. No event contains a personal value of a transaction, only its hash. */
// biome-ignore format: one event a line
export const AUDIT_EVENTS = {
  report: { meaning: 'With a valid token, somebody asked for transactions, changes, a summary, performance, programs or publishers', details: v.object({ question: v.nullable(QUESTION), format: v.nullable(v.string()), outcome: v.picklist(REPORT_OUTCOMES), status: COUNT, code: CODE, rows: v.nullable(COUNT), bytes: COUNT, ms: COUNT, via: VIA }) },
  access_refused: { meaning: 'A request was refused with 401, 403 or 429', details: v.object({ route: v.nullable(v.string()), status: COUNT, code: CODE, via: VIA }) },
  refusals_omitted: { meaning: 'More requests were refused in a minute than the log takes; this line counts the ones that were left out', details: v.object({ count: COUNT }) },
  lines_lost: { meaning: 'Lines were lost: the database accepted none for so long that the memory for waiting lines was full', details: v.object({ count: COUNT }) },
  token_created: { meaning: 'An access token was created, by a user of the operating system or by the principal of a request', details: NEW_TOKEN },
  link_created: { meaning: 'A sign-in link was created: the first person who opens it before `link_expires_at` gets the token that the details describe', details: v.object({ ...NEW_TOKEN.entries, link_expires_at: v.string() }) },
  link_used: { meaning: 'A sign-in link was used: its token was given out', details: v.object({ token_id: v.string(), token_name: v.nullable(v.string()) }) },
  token_revoked: { meaning: 'An access token or the link to it was revoked, by a user of the operating system or by the principal of a request', details: v.object({ user: v.nullable(USER), token_id: v.string() }) },
  import_started: { meaning: 'An import started', details: v.object({ user: USER, run: v.string(), files: COUNT }) },
  import_ended: { meaning: 'An import ended: its rows were imported, or it was refused because of faulty rows, or its user aborted it, or it failed, for example because a disk was full', details: v.object({ user: USER, run: v.string(), outcome: v.picklist(IMPORT_OUTCOMES), rows: v.nullable(COUNT), imported: COUNT, rejected: v.nullable(COUNT), seconds: v.nullable(COUNT) }) },
  directory_imported: { meaning: 'An import into the directory ended: its entries were imported, or it was refused because of faulty rows, or its user aborted it, or it failed, for example because a disk was full', details: v.object({ user: USER, of: v.picklist(DIRECTORIES), replace: v.boolean(), outcome: v.picklist(IMPORT_OUTCOMES), rows: v.nullable(COUNT), imported: COUNT, rejected: v.nullable(COUNT), deleted: COUNT }) },
  erasure_started: { meaning: 'An erasure began. From now on, imports leave its values out. If no line `transactions_erased` with the same `run` follows, it was refused or failed, or its process died. If it had begun to change transactions, the next start of the service or the next erasure completes it without another line', details: ERASURE },
  transactions_erased: { meaning: 'By `transactions erase`, the personal fields of transactions were emptied, or whole transactions were removed; the values by which they were found are hashed. `transactions` counts only what this erasure found itself', details: v.object({ ...ERASURE.entries, transactions: COUNT, seconds: COUNT }) },
  month_removed: { meaning: 'Transactions of a month were removed because of RETENTION; `rows` counts them by type', details: v.object({ user: USER, month: v.string(), rows: v.record(v.string(), COUNT) }) },
  subject_blocked: { meaning: 'A subject of the identity provider was blocked', details: v.object({ user: USER, subject: v.string() }) },
  subject_unblocked: { meaning: 'A subject of the identity provider was allowed again', details: v.object({ user: USER, subject: v.string() }) },
  backup_written: { meaning: 'A backup of the whole database was written', details: v.object({ user: USER, transactions: COUNT }) },
  webhook_added: { meaning: 'A webhook was added, by a user of the operating system or by the principal of a request', details: v.object({ user: v.nullable(USER), webhook_id: v.string(), host: v.string(), webhook_role: v.picklist(ROLES), publisher_ids: AUDITED_SCOPE, program_ids: AUDITED_SCOPE, types: v.pipe(v.array(v.picklist(KINDS)), v.readonly()) }) },
  webhook_changed: { meaning: 'A user of the operating system or the principal of a request tested, paused, resumed, replayed or removed a webhook, or rotated its secret', details: v.object({ user: v.nullable(USER), webhook_id: v.string(), change: v.picklist(['tested', 'paused', 'resumed', 'rotated', 'replayed', 'removed']) }) },
  webhook_stopped: { meaning: 'The service stopped a webhook. `reason` is failing (no delivery succeeded in three days), receiver_gone (the receiver answered 410), changes_expired (changes that it had not delivered are not kept any more, a backup was restored, or IP_ADDRESSES was changed) or creator_revoked (the token that added the webhook, or that took it over later, was revoked)', details: v.object({ webhook_id: v.string(), reason: v.picklist(STOPPED_STATES) }) },
  service_started: { meaning: 'A service started, with these settings; passwords are replaced', details: v.object({ version: v.string(), settings: v.record(v.string(), v.string()) }) },
  service_stopped: { meaning: 'A service stopped, because of a signal such as SIGTERM or because it failed. A process that was killed leaves no such line', details: v.object({}) },
  audit_expired: { meaning: 'Months of the audit log were deleted because of AUDIT_RETENTION', details: v.object({ months: v.array(v.string()) }) },
} as const satisfies Record<string, EventDefinition>;

export type AuditEventName = keyof typeof AUDIT_EVENTS;

type DetailsOf<Name extends AuditEventName> = v.InferOutput<(typeof AUDIT_EVENTS)[Name]['details']>;

/** An event with its details. */
export type AuditEvent = {
  readonly [Name in AuditEventName]: {
    readonly event: Name;
    readonly details: Readonly<DetailsOf<Name>>;
  };
}[AuditEventName];

export type ImportOutcome = DetailsOf<'import_ended'>['outcome'];
export type ReportDetails = DetailsOf<'report'>;
export type AddedWebhook = DetailsOf<'webhook_added'>;
export type ReportOutcome = ReportDetails['outcome'];
