/**
 * Inserts a few rows without an import, which takes ten times as long: for tests in which the rows only have to be there.
 * The feed of changes and the directory do not have them.
 */

import { STORED_FIELDS } from '../../../../src/contract/record/fields.ts';
import type { Database } from '../../../../src/database/open-database.ts';
import { literal, plainStatement } from '../../../../src/plan/sql.ts';
import type { FileRow } from '../../rows/file-rows.ts';

const DATES: ReadonlySet<string> = new Set(
  STORED_FIELDS.filter(({ type }) => type === 'date').map(({ name }) => name),
);

export async function insertRows(
  { engine, timeZone }: Database,
  rows: readonly FileRow[],
): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const written = (row: FileRow, name: string): string => {
    const value = row[name] ?? null;
    if (value === null) return 'NULL';
    if (Number.isInteger(value)) return String(value);
    const text = literal(String(value));
    return DATES.has(name) ? `parseDateTimeBestEffort(${text}, ${literal(timeZone)})` : text;
  };
  const lines = rows.map((row) => `(${columns.map((name) => written(row, name)).join(', ')})`);
  await engine.execute(
    plainStatement(`INSERT INTO transactions (${columns.join(', ')}) VALUES ${lines.join(', ')}`),
  );
}
