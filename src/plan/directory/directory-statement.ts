/** The statements of a list of programs or publishers. */

import * as v from 'valibot';
import type { Scope } from '../../auth/principal.ts';
import type { NAMES_OF } from '../../contract/record/directory.ts';
import { recordPieces } from '../list-statement.ts';
import { PARTNERSHIPS } from '../report-table.ts';
import { INTEGER, type Select, select } from '../select.ts';
import { bind, join, raw, type Sql, type Statement, sql, statementOf } from '../sql.ts';
import { DIRECTORY } from './directory-names.ts';
import type { DirectoryPlan } from './directory-plan.ts';

/** The column with the identifier of an entry. */
export const idField = ({ of }: Pick<DirectoryPlan, 'of'>): keyof typeof NAMES_OF =>
  of === 'programs' ? 'program_id' : 'publisher_id';

const ofDirectory = (text: Sql): Statement => ({ ...statementOf(text), isOfDirectory: true });

/** Reads the entries, sorted by identifier. `through` is the greatest identifier, if not all are read. */
export const directoryStatement = (plan: DirectoryPlan, through?: number): Statement =>
  ofDirectory(sql`SELECT ${join(recordPieces(plan), ', ')}
FROM ${entries(plan, through)}
ORDER BY ${raw(idField(plan))}`);

const ID = v.object({ id: INTEGER });

/** The identifiers of a page, and one more if others follow. */
export const pageIdsStatement = (
  plan: DirectoryPlan,
  limit: number,
): Select<v.InferOutput<typeof ID>> =>
  select(
    ID,
    ofDirectory(sql`SELECT ${raw(idField(plan))} AS id FROM ${entries(plan)}
ORDER BY id LIMIT ${bind('UInt64', limit + 1)}`),
  );

/** A row for every visible identifier, even if the directory has no entry for it. */
function entries(plan: DirectoryPlan, through?: number): Sql {
  const id = raw(idField(plan));
  const { search, after } = plan;
  const conditions = [
    ...(after === undefined ? [] : [sql`${id} > ${bind('UInt64', after)}`]),
    ...(through === undefined ? [] : [sql`${id} <= ${bind('UInt64', through)}`]),
    ...(search === undefined ? [] : [sql`position(${FOLDED_NAME}, ${bind('String', search)}) > 0`]),
  ];
  const where = conditions.length === 0 ? raw('') : sql`WHERE ${join(conditions, ' AND ')}`;
  return sql`(SELECT listed.listed_id AS ${id}, nullIf(named.found, '') AS name, named.link AS url, named.state AS status, named.class AS category
FROM (SELECT DISTINCT listed_id FROM (${visibleIds(plan)})) AS listed
LEFT JOIN (SELECT id, name AS found, url AS link, status AS state, category AS class
  FROM ${raw(DIRECTORY)} FINAL WHERE kind = ${bind('String', plan.of)} AND NOT is_removed) AS named
ON listed.listed_id = named.id)
${where}`;
}

/** The SQL equivalent of {@link folded}. */
const FOLDED_NAME = raw(
  "replaceAll(lowerUTF8(replaceRegexpAll(normalizeUTF8NFKD(ifNull(name, '')), '\\\\p{Mn}', '')), 'ς', 'σ')",
);

/** The identifiers that the principal may see. */
function visibleIds({ of, programIds, publisherIds }: DirectoryPlan): Sql {
  const [own, others] = of === 'programs' ? [programIds, publisherIds] : [publisherIds, programIds];
  const id = raw(of === 'programs' ? 'program_id' : 'publisher_id');
  const other = raw(of === 'programs' ? 'publisher_id' : 'program_id');
  const used = (conditions: readonly Sql[]) =>
    sql`SELECT ${id} AS listed_id FROM ${raw(PARTNERSHIPS)} WHERE ${join([raw('1'), ...conditions], ' AND ')}`;
  if (own !== 'all' && others === 'all')
    return sql`SELECT arrayJoin(${bind('Array(UInt64)', own)}) AS listed_id`;
  if (own === 'all' && others === 'all') {
    return sql`${used([])}
UNION ALL SELECT id AS listed_id FROM ${raw(DIRECTORY)} FINAL WHERE kind = ${bind('String', of)} AND NOT is_removed`;
  }
  // If programs are limited, an affiliate's own website is listed only if it has transactions of these programs.
  // Otherwise an admin with limited programs could read the name of any website, by a new token for it.
  return used([...within(id, own), ...within(other, others)]);
}

const within = (column: Sql, scope: Scope): readonly Sql[] =>
  scope === 'all' ? [] : [sql`${column} IN ${bind('Array(UInt64)', scope)}`];
