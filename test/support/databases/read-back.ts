/** Reads Parquet and Arrow files with common libraries, into rows like those of the JSON response. */

import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DataType, tableFromIPC } from 'apache-arrow';

export interface ReadBack {
  /** The type of each column, by name, in the order of the file. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Dates are milliseconds since 1970 (UTC). */
export async function readParquet(bytes: Uint8Array): Promise<ReadBack> {
  const path = join(tmpdir(), `read-back-${process.pid}-${Math.random()}.parquet`);
  await writeFile(path, bytes);
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`);
    const types = Object.fromEntries(
      described.getRows().map(([name, type]) => [String(name), String(type)]),
    );
    const columns = Object.entries(types).map(([name, type]) => columnOf(name, type));
    const read = await connection.runAndReadAll(
      `SELECT ${columns.join(', ')} FROM read_parquet('${path}', file_row_number = true) ORDER BY file_row_number`,
    );
    return { types, rows: read.getRowObjectsJson().map(numbered(types)) };
  } finally {
    connection.closeSync();
    await rm(path);
  }
}

const columnOf = (name: string, type: string): string =>
  type.startsWith('TIMESTAMP') ? `epoch_ms("${name}") AS "${name}"` : `"${name}"`;

/** DuckDB returns large numbers as text. */
const numbered =
  (types: Readonly<Record<string, string>>) =>
  (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value === null || types[name] === 'VARCHAR' ? value : Number(value),
      ]),
    );

export function readArrow(bytes: Uint8Array): ReadBack {
  const table = tableFromIPC(bytes);
  const { fields } = table.schema;
  const types = Object.fromEntries(
    fields.map(({ name, type, nullable }) => [name, `${type}${nullable ? '?' : ''}`]),
  );
  const rows = Array.from({ length: table.numRows }, (_, at) =>
    Object.fromEntries(
      fields.map(({ name, type }) => {
        const value: unknown = table.getChild(name)?.get(at);
        return [name, value === null ? null : plain(type, value)];
      }),
    ),
  );
  return { types, rows };
}

function plain(type: DataType, value: unknown): unknown {
  if (DataType.isUtf8(type)) return value;
  if (!DataType.isDecimal(type)) return Number(value);
  // A decimal has four words of 32 bits, the lowest first. The tests have no negative amounts.
  const words = [...(value as Uint32Array)];
  const whole = words.reduceRight((all, word) => all * 2n ** 32n + BigInt(word), 0n);
  return Number(`${whole / 1_000_000n}.${String(whole % 1_000_000n).padStart(6, '0')}`);
}
