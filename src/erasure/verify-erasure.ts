/** Checks that no table has a version that an erasure should have emptied or removed. */

import * as v from 'valibot';
import { PERSONAL_FIELDS } from '../contract/record/fields.ts';
import { RECORD_FIELDS, ROLES } from '../contract/record/records.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTable } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';
import { erasedPredicate } from './erased-keys.ts';
import type { Erasure } from './erasure-log.ts';
import { transactionTablesOf } from './rewrite-parts.ts';

const LEFT = v.object({ versions: INTEGER });

/** Throws if a version still has a personal value, or if a row that was to be removed has any version left. */
export async function verifyErasure(nodes: ClusterNodes, { id, mode }: Erasure): Promise<void> {
  for (const { server, table } of transactionTablesOf(nodes)) {
    const role = ROLES.find((known) => localTable(nodes.topology, TABLE_OF[known]) === table);
    const columns = PERSONAL_FIELDS.filter((personal) =>
      RECORD_FIELDS[role ?? 'admin'].some(({ field }) => field === personal),
    );
    const inColumns = columns.map(({ name }) => `${name} IS NOT NULL`);
    const inRecords = columns.map(
      ({ name }) => `JSONExtractRaw(concat(record_head, '"}'), '${name}') NOT IN ('', 'null')`,
    );
    const conditions = role === undefined ? inRecords : [...inColumns, ...inRecords];
    const isLeft = mode === 'remove' ? 'true' : `(${conditions.join(' OR ')})`;
    const text = `SELECT count() AS versions FROM ${table} WHERE ${erasedPredicate(id)} AND ${isLeft}`;
    const [left] = await server.rows(select(LEFT, plainStatement(text)));
    if (left?.versions !== 0) {
      throw new UserError(
        `The erasure is not complete: the table ${table} still has ${left?.versions} rows of these persons.`,
        'Run the same erasure again.',
      );
    }
  }
}
