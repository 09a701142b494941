/** Reads the columns of a Parquet file from its footer, with the engine's type and the SQL for the text of each. */

import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';
import { floatText } from '../checks/text-columns.ts';
import { ImportRefused } from '../import-refused.ts';

interface ParquetColumn {
  readonly name: string;
  /** The engine's type. */
  readonly type: string;
  /** The SQL expression of its text; null becomes the empty text. */
  readonly text: string;
  /** Whether its values have a type. Only texts may be written in a dialect. */
  readonly isTyped: boolean;
}

/**
 * Reads the footer of the file; `name` is for error messages. Lists and structures are refused, or left out if they
 * are not among the columns that are used.
 */
export async function parquetColumns(
  path: string,
  name: string,
  used: readonly string[] | undefined,
): Promise<readonly ParquetColumn[]> {
  const columns = await topLevel(path).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : '';
    throw new ImportRefused(`${name}: cannot be read as Parquet: ${message}`, { cause });
  });
  const nested = columns.filter(isNested);
  const refused = nested.filter((column) => used === undefined || used.includes(column.name));
  if (refused.length > 0) {
    const names = refused.map((column) => `"${column.name}"`).join(', ');
    throw new ImportRefused(
      `${name}: these columns have lists or structures, which cannot be imported: ${names}. Write the file without them.`,
    );
  }
  return columns
    .filter((column) => !isNested(column))
    .map((column) => ({
      name: column.name,
      type: `Nullable(${engineType(column)})`,
      text: textOf(column),
      isTyped: engineType(column) !== 'String',
    }));
}

const isNested = ({ num_children, repetition_type }: SchemaElement): boolean =>
  Boolean(num_children) || repetition_type === 'REPEATED';

async function topLevel(path: string): Promise<readonly SchemaElement[]> {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
  return parquetSchema(metadata).children.map(({ element }) => element);
}

export const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

const isTime = ({ type, logical_type, converted_type }: SchemaElement): boolean =>
  type === 'INT96' ||
  logical_type?.type === 'TIMESTAMP' ||
  converted_type === 'TIMESTAMP_MILLIS' ||
  converted_type === 'TIMESTAMP_MICROS';

const isDay = ({ logical_type, converted_type }: SchemaElement): boolean =>
  converted_type === 'DATE' || logical_type?.type === 'DATE';

/** A local time without a time zone. */
const isLocalTime = ({ logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC;

function engineType(column: SchemaElement): string {
  const { type, converted_type, precision, scale } = column;
  if (isTime(column)) return "DateTime64(9, 'UTC')";
  if (converted_type === 'DECIMAL') return `Decimal(${precision}, ${scale ?? 0})`;
  if (isDay(column)) return 'Date32';
  switch (type) {
    case 'BOOLEAN':
      return 'Bool';
    case 'INT32':
    case 'INT64':
      return isUnsigned(column) ? 'UInt64' : 'Int64';
    case 'FLOAT':
      return 'Float32';
    case 'DOUBLE':
      return 'Float64';
    default:
      return 'String';
  }
}

const isUnsigned = ({ logical_type, converted_type }: SchemaElement): boolean =>
  converted_type?.startsWith('UINT_') ||
  (logical_type?.type === 'INTEGER' && !logical_type.isSigned);

/**
 * SQL for the text of a column. Times keep their fraction of a second, so that the checks refuse it instead of
 * losing it silently. Times in UTC end in `Z`. A day begins at 00:00.
 */
function textOf(column: SchemaElement): string {
  const value = `source.${quotedName(column.name)}`;
  if (isTime(column)) {
    const offset = isLocalTime(column) ? '' : 'Z';
    return `ifNull(formatDateTime(${value}, '%F %T.%f${offset}', 'UTC'), '')`;
  }
  if (isDay(column)) return `ifNull(concat(toString(${value}), ' 00:00:00'), '')`;
  const isFloat = column.type === 'DOUBLE' || column.type === 'FLOAT';
  return `ifNull(${isFloat ? floatText(value) : `toString(${value})`}, '')`;
}
