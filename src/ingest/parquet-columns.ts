/** The columns of a Parquet file, from its footer, and how each becomes text. */

import { command } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import { EngineFailure } from '../store/engine.ts';
import { ImportRefused } from './import-refused.ts';
import type { Staging } from './staging.ts';
import type { TextColumns } from './text-columns.ts';

/** A leaf of the file's schema; one that is a column of its own has its name as path. */
interface Leaf {
  readonly name: string;
  readonly path: string;
  readonly physical: string;
  readonly logical: string;
}

/**
 * `footer` is the file as a table function in the format ParquetMetadata. Readers may not open
 * files, so what it says is brought into a table first.
 */
export async function parquetColumns(
  engine: Engine,
  staging: Staging,
  name: string,
  footer: string,
): Promise<TextColumns> {
  const leaves = await leavesOf(engine, staging.footer, footer).catch((cause: unknown) => {
    if (!(cause instanceof EngineFailure) || cause.isPassing) throw cause;
    throw new ImportRefused(`${name}: cannot be read as Parquet: ${cause.message}`, { cause });
  });
  const nested = leaves.filter((leaf) => leaf.path !== leaf.name);
  if (nested.length > 0) {
    const columns = new Set(nested.map(({ path }) => `"${path.split('.', 1)[0]}"`));
    throw new ImportRefused(
      `${name}: lists and structures cannot be imported, column ${[...columns].join(', ')}.`,
    );
  }
  return new Map(leaves.map((leaf) => [leaf.name, textOf(leaf)]));
}

async function leavesOf(engine: Engine, table: string, footer: string): Promise<readonly Leaf[]> {
  await engine.execute(command(`DROP TABLE IF EXISTS ${table} SYNC`));
  await engine.execute(
    command(`CREATE TABLE ${table} ENGINE = Memory AS
SELECT leaf.name AS name, leaf.path AS path, leaf.physical_type AS physical, leaf.logical_type AS logical
FROM ${footer} ARRAY JOIN columns AS leaf`),
  );
  return (await engine.rows(command(`SELECT * FROM ${table}`))) as readonly Leaf[];
}

const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** Times keep their fraction, so that none is cut off unseen; instants get their offset. */
function textOf({ name, physical, logical }: Leaf): string {
  const column = `source.${quotedName(name)}`;
  if (logical.startsWith('Timestamp') || physical === 'INT96') {
    const offset = logical.includes('isAdjustedToUTC=false') ? '' : 'Z';
    return `ifNull(formatDateTime(${column}, '%F %T.%f${offset}', 'UTC'), '')`;
  }
  const text = `toString(${column})`;
  const isFloat = physical === 'DOUBLE' || physical === 'FLOAT';
  // The engine writes small ones with an exponent, which no decimal of a file has.
  const plain = `if(${text} LIKE '%e-%', toDecimalString(${column}, 30), ${text})`;
  return `ifNull(${isFloat ? plain : text}, '')`;
}
