/** From a question and whoever asks it to what is to be read. */

import { mayRead, type Principal, type Scope } from '../auth/principal.ts';
import { startOfDay } from '../contract/calendar.ts';
import type { Kind } from '../contract/kinds.ts';
import type { Locale } from '../contract/labels.ts';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import type { ReportQuery } from '../contract/query.ts';
import type { Audience } from '../contract/records.ts';
import type { Position } from './position.ts';

export interface ReportPlan {
  readonly audience: Audience;
  readonly kind: Kind;
  /** The period as half-open instants, in seconds since 1970 (UTC). */
  readonly from: number;
  readonly until: number;
  readonly programIds: Scope;
  readonly publisherIds: Scope;
  readonly locale: Locale;
  /** Only records after this one. */
  readonly after?: Position;
}

/** What the plan needs to know of its surroundings. */
export interface Setting {
  /** The platform's time zone. */
  readonly timeZone: string;
  /** The language of the labels. */
  readonly locale: Locale;
}

/** Plans a report; throws a Problem where the question goes beyond what the principal may see. */
export function planReport(query: ReportQuery, principal: Principal, setting: Setting): ReportPlan {
  return Object.freeze({
    audience: principal.role,
    kind: query.type,
    from: startOfDay(query.start_date, setting.timeZone),
    until: startOfDay(query.end_date, setting.timeZone, 1),
    programIds: narrowed(principal.programIds, query.program_id, 'program_forbidden'),
    publisherIds: narrowed(principal.publisherIds, query.publisher_id, 'publisher_forbidden'),
    locale: setting.locale,
  });
}

function narrowed(allowed: Scope, wanted: number | undefined, refusal: ProblemCode): Scope {
  if (wanted === undefined) return allowed;
  if (!mayRead(allowed, wanted)) throw new Problem(refusal);
  return [wanted];
}
