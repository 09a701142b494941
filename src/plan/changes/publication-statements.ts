/** The statements that read the order in which imports became visible. */

import * as v from 'valibot';
import { INTEGER, type Select, select } from '../select.ts';
import { bind, plainStatement, sql, statementOf } from '../sql.ts';

const HEAD = v.object({ origin: INTEGER, newest: INTEGER, restarted: INTEGER });

/** The numbers that say which part of the feed readers may see. */
export type FeedHead = v.InferOutput<typeof HEAD>;

/** Greater than all publication numbers. */
const NO_NUMBER = '18446744073709551615';

/**
 * `origin` is the first publication number of the database, `newest` the greatest one below all announced
 * numbers, and `restarted` the newest one at which readers have to begin again.
 *
 * Announcements that are older than `seconds` are ignored. A process that writes alone announces nothing, so it
 * leaves out `seconds`: without a search for announcements, the statement takes a third of the time.
 */
export const headStatement = (seconds?: number): Select<FeedHead> =>
  select(
    HEAD,
    plainStatement(`SELECT min(number) AS origin, ${newestBelow(seconds)} AS newest,
  maxIf(number, state = 'restarted') AS restarted
FROM publications`),
  );

const newestBelow = (seconds: number | undefined): string =>
  seconds === undefined
    ? "maxIf(number, state != 'intended')"
    : `maxIf(number, state != 'intended' AND number < (SELECT min(lowest) FROM (${announced(seconds)})))`;

/** The announced numbers whose publication is still missing. */
const announced = (seconds: number): string => `SELECT toUInt64(${NO_NUMBER}) AS lowest
UNION ALL
SELECT maxIf(number, state = 'intended') AS lowest FROM publications
WHERE at > now64(3, 'UTC') - INTERVAL ${seconds} SECOND
GROUP BY id HAVING lowest > maxIf(number, state != 'intended')`;

const PUBLICATION = v.object({ number: INTEGER, batch: INTEGER });

export type PublishedBatch = v.InferOutput<typeof PUBLICATION>;

/** The publications from `from` to `through`, in order. Batch 0 means that readers have to begin again. */
export const publicationsStatement = (
  from: number,
  through: number,
  limit: number,
): Select<PublishedBatch> =>
  select(
    PUBLICATION,
    statementOf(sql`SELECT DISTINCT number, batch FROM publications
WHERE state != 'intended' AND number >= ${bind('UInt64', from)} AND number <= ${bind('UInt64', through)}
ORDER BY number, batch LIMIT ${bind('UInt32', limit)}`),
  );

/**
 * The number of the last publication at or before an instant; no row if there is none.
 *
 * `instant` is in microseconds, because the number of a publication is its time in microseconds, or slightly more.
 */
export const lastNumberStatement = (instant: number): Select<{ readonly last: number }> =>
  select(
    v.object({ last: INTEGER }),
    statementOf(sql`SELECT max(number) AS last FROM publications
WHERE state != 'intended' AND number <= ${bind('UInt64', instant)} HAVING count() > 0`),
  );
