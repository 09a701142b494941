/**
 * Applies erasures to the rows of an import: personal fields are emptied, or the row is left out.
 *
 * If nothing was ever erased, rows go directly to the staging table. Otherwise they arrive in a table
 * that stores nothing. Its views pass the rows on and count the changed ones.
 */

import * as v from 'valibot';
import { FULL_ADDRESSES } from '../../contract/record/address-visibility.ts';
import {
  FIELD_NAMED,
  PERSONAL_FIELDS,
  STORED_FIELDS,
  type StoredField,
} from '../../contract/record/fields.ts';
import { erasedHash } from '../../erasure/erased-hashes.ts';
import { canonicalText, SELECTOR_FIELDS } from '../../erasure/selectors.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { columnDefinition, columnsOf } from '../../schema/table-definitions.ts';
import { dateValue } from '../checks/date-checks.ts';
import { type Staging, stagingName } from './staging.ts';

/** How a row is changed, as a number in the column `erased`. */
const CHANGES = { none: 0, emptied: 1, removed: 2 } as const;

/** The rows of an import that erasures changed. */
export interface ErasureCounts {
  readonly emptied: number;
  readonly removed: number;
}

/** The table into which rows are inserted, and the SQL of its additional column `erased`. */
export interface ErasureInput {
  readonly table: string;
  readonly erased: string;
}

/** Creates the tables and views; undefined if nothing was ever erased. */
export async function createErasureInput(
  { engine }: ClusterNodes,
  { id, transactions }: Staging,
  timeZone: string,
): Promise<ErasureInput | undefined> {
  const count = plainStatement('SELECT count() AS hashes FROM erased');
  const [found] = await engine.rows(select(v.object({ hashes: INTEGER }), count));
  if (found?.hashes === 0) return undefined;
  const { table, counts, hashes } = namesOf(id);
  const columns = columnsOf('admin', timeZone, FULL_ADDRESSES).filter(
    ({ materialized, alias }) => materialized === undefined && alias === undefined,
  );
  const definitions = [...columns.map(columnDefinition), 'erased UInt8'].join(', ');
  const texts = [
    `CREATE TABLE ${table} (${definitions}) ENGINE = Null`,
    `CREATE TABLE ${counts} (erased UInt8, rows UInt64) ENGINE = MergeTree ORDER BY erased`,
    `CREATE TABLE ${hashes} (hash FixedString(16), emptied_before UInt32, removed_before UInt32)
ENGINE = Join(ANY, LEFT, hash)`,
    `INSERT INTO ${hashes} SELECT hash, maxIf(toUnixTimestamp(before), mode = 'empty'), maxIf(toUnixTimestamp(before), mode = 'remove')
FROM erased GROUP BY hash`,
    `CREATE MATERIALIZED VIEW ${table}_unchanged TO ${transactions} AS
SELECT ${namesIn(STORED_FIELDS)} FROM ${table} WHERE erased = ${CHANGES.none}`,
    `CREATE MATERIALIZED VIEW ${table}_emptied TO ${transactions} AS
SELECT ${namesIn(IMPERSONAL_FIELDS)} FROM ${table} WHERE erased = ${CHANGES.emptied}`,
    `CREATE MATERIALIZED VIEW ${counts}_feed TO ${counts} AS
SELECT erased, count() AS rows FROM ${table} WHERE erased != ${CHANGES.none} GROUP BY erased`,
  ];
  for (const text of texts) await engine.execute(plainStatement(text));
  return { table, erased: changeOf(hashes, timeZone) };
}

/**
 * The fields that emptied rows keep. The other columns are not inserted, so they become NULL. With
 * `if(…, NULL, value)`, the engine would also store the value, hidden by the NULL.
 */
const IMPERSONAL_FIELDS = STORED_FIELDS.filter((field) => !PERSONAL_FIELDS.includes(field));

const namesIn = (fields: readonly StoredField[]): string =>
  ['type', ...fields.map(({ name }) => name)].join(', ');

/** Named like staging tables, so that `dropStaging` drops them too. */
const namesOf = (id: string) => ({
  table: stagingName(id, 'arrivals'),
  counts: stagingName(id, 'erased_counts'),
  hashes: stagingName(id, 'hashes'),
});

/** SQL for how erasures change a row of checked texts. An erasure applies only to rows created before it. */
function changeOf(hashes: string, timeZone: string): string {
  const created = `toUnixTimestamp(${dateValue('created_at', timeZone)})`;
  const isBefore = (column: string) => {
    const instants = SELECTOR_FIELDS.map((field) => {
      const text = FIELD_NAMED[field].type === 'integer' ? `toUInt64OrZero(${field})` : field;
      const hash = erasedHash(field, `ifNull(${canonicalText(field, text)}, '')`);
      // A missing identifier would otherwise be hashed like 0.
      return `if(${field} = '', toUInt32(0), joinGet('${hashes}', '${column}', ${hash}))`;
    });
    const before = `greatest(${instants.join(', ')})`;
    // 0 means that nothing was erased. It is also a date, 1 January 1970.
    return `${before} > 0 AND ${created} <= ${before}`;
  };
  return `multiIf(${isBefore('removed_before')}, ${CHANGES.removed},
  ${isBefore('emptied_before')}, ${CHANGES.emptied}, ${CHANGES.none})`;
}

const COUNTS = v.object({ emptied: INTEGER, removed: INTEGER });

/** The rows that were changed since the counts were reset. */
export async function erasureCounts(
  { engine }: ClusterNodes,
  { id }: Staging,
): Promise<ErasureCounts> {
  const { counts } = namesOf(id);
  const text = `SELECT sumIf(rows, erased = ${CHANGES.emptied}) AS emptied, sumIf(rows, erased = ${CHANGES.removed}) AS removed FROM ${counts}`;
  const [found] = await engine.rows(select(COUNTS, plainStatement(text)));
  return found ?? { emptied: 0, removed: 0 };
}

/** Resets the counts before another attempt. */
export const resetErasureCounts = async (
  { engine }: ClusterNodes,
  { id }: Staging,
): Promise<void> => await engine.execute(plainStatement(`TRUNCATE TABLE ${namesOf(id).counts}`));
