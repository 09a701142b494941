/** Reads the columns of a Parquet file from its footer, with the engine's type and the SQL for the text of each. */

import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetSchema,
  type SchemaElement,
  type TimeUnit,
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

const SCALES = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const satisfies Record<TimeUnit, number>;

/**
 * The digits of a second's fraction in a column of times. A time in microseconds may be outside the range of
 * nanoseconds, so each column keeps its unit.
 */
function timeScale({ type, logical_type, converted_type }: SchemaElement): number | undefined {
  if (logical_type?.type === 'TIMESTAMP') return SCALES[logical_type.unit];
  if (converted_type === 'TIMESTAMP_MILLIS') return SCALES.MILLIS;
  if (converted_type === 'TIMESTAMP_MICROS') return SCALES.MICROS;
  return type === 'INT96' ? SCALES.NANOS : undefined;
}

const isTime = (column: SchemaElement): boolean => timeScale(column) !== undefined;

/** The engine's type of a decimal column. The logical type may be the only annotation. */
function decimalType({ logical_type, converted_type, precision, scale }: SchemaElement) {
  if (logical_type?.type === 'DECIMAL') {
    return `Decimal(${logical_type.precision}, ${logical_type.scale})`;
  }
  return converted_type === 'DECIMAL' ? `Decimal(${precision}, ${scale ?? 0})` : undefined;
}

const isDay = ({ logical_type, converted_type }: SchemaElement): boolean =>
  converted_type === 'DATE' || logical_type?.type === 'DATE';

/** A local time without a time zone. */
const isLocalTime = ({ logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC;

function engineType(column: SchemaElement): string {
  const scale = timeScale(column);
  if (scale !== undefined) return `DateTime64(${scale}, 'UTC')`;
  const decimal = decimalType(column);
  if (decimal !== undefined) return decimal;
  // As a Date32, one day before 1900 or after 2299 would make the whole file unreadable.
  if (isDay(column)) return 'Int32';
  switch (column.type) {
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
  if (isDay(column)) {
    const start = `toDateTime64(${value} * 86400, 0, 'UTC')`;
    return `ifNull(formatDateTime(${start}, '%F 00:00:00', 'UTC'), '')`;
  }
  const isFloat = column.type === 'DOUBLE' || column.type === 'FLOAT';
  return `ifNull(${isFloat ? floatText(value) : `toString(${value})`}, '')`;
}
