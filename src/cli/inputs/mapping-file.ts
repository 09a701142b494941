/** Reads a mapping file, which maps columns and codes of a source to fields, and may state its dialect. */

import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import { timeZoneNamed } from '../../contract/query/calendar.ts';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import { STATUS_TEXTS } from '../../contract/record/statuses.ts';
import type { StatedDialect } from '../../ingest/dialect/dialect.ts';
import { DIALECT_MEMBER_NAMES, readStatedDialect } from '../../ingest/dialect/stated-dialect.ts';
import {
  type ExpectedRows,
  MAPPABLE_COLUMNS,
  missingColumns,
} from '../../ingest/files/known-columns.ts';
import type { MappedField, Mapping } from '../../ingest/files/mapping.ts';
import { UserError } from '../../user-error.ts';

const ROW_NAME = { transactions: 'transaction', directory: 'entry' } as const;
/** `unused` lists columns for people who read the file. Imports ignore it. */
const PARTS = ['fields', 'time_zone', ...DIALECT_MEMBER_NAMES, 'unused'];
const FIELD_PARTS = ['from', 'codes', 'value', 'when_status'];

export interface MappingFile {
  readonly mapping: Mapping;
  readonly dialect: StatedDialect;
}

/** Throws a UserError that lists everything that is wrong with the file. */
export async function readMappingFile(path: string, expected: ExpectedRows): Promise<MappingFile> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw wrong(path, [`cannot be read: ${cause.code}.`], cause);
  });
  const faults: string[] = [];
  const content = parsed(path, text);
  const mapping = readMapping(content, MAPPABLE_COLUMNS[expected.rows], faults);
  const dialectFaults = new Map<string, string>();
  const dialect = readStatedDialect(content, dialectFaults);
  for (const [name, fault] of dialectFaults) faults.push(`has an invalid "${name}": ${fault}`);
  const missing = missingColumns(Object.keys(mapping.fields), expected);
  for (const name of missing) {
    const advice = name === 'type' ? ' Map it, or name the type of all rows: --type sales.' : '';
    faults.push(`does not map "${name}", which every ${ROW_NAME[expected.rows]} needs.${advice}`);
  }
  if (faults.length > 0) throw wrong(path, faults);
  return { mapping, dialect };
}

const wrong = (path: string, faults: readonly string[], cause?: unknown): UserError =>
  new UserError(
    `The mapping ${path} ${faults.join('\n  It ')}`,
    'See the format of mappings: docs/reference/mapping.md',
    { cause },
  );

function parsed(path: string, text: string): JsonObject {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    throw wrong(path, [`is not JSON: ${message}.`], cause);
  }
  if (isJsonObject(content) && isJsonObject(content.fields)) return content;
  throw wrong(path, ['must be an object with "fields", an object with a member for each field.']);
}

function readMapping(content: JsonObject, known: readonly string[], faults: string[]): Mapping {
  const fields: Record<string, MappedField> = {};
  for (const name of Object.keys(content).filter((part) => !PARTS.includes(part))) {
    faults.push(`has an unknown member "${name}".${suggestionFor(name, PARTS)}`);
  }
  for (const [name, value] of Object.entries(isJsonObject(content.fields) ? content.fields : {})) {
    const field = readField(value);
    if (!known.includes(name)) {
      faults.push(`names an unknown field "${name}".${suggestionFor(name, known)}`);
    } else if (typeof field === 'string') faults.push(`has an invalid "${name}": ${field}`);
    else fields[name] = field;
  }
  const zone = content.time_zone;
  if (zone === undefined) return { fields };
  const timeZone = typeof zone === 'string' ? timeZoneNamed(zone) : undefined;
  if (timeZone !== undefined) return { fields, timeZone };
  faults.push(
    'has an invalid "time_zone": must be a name of the IANA database, such as "Europe/Paris".',
  );
  return { fields };
}

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The field, or what is wrong with it. */
function readField(value: unknown): MappedField | string {
  if (typeof value === 'string') return { from: value };
  if (!isJsonObject(value)) return 'must be the name of a column or an object.';
  const unknown = Object.keys(value).find((part) => !FIELD_PARTS.includes(part));
  if (unknown !== undefined) {
    return `"${unknown}" is unknown.${suggestionFor(unknown, FIELD_PARTS)}`;
  }
  const { from, codes, value: constant, when_status: status } = value;
  if (isScalar(constant) && from === undefined && codes === undefined) {
    if (status === undefined) return { value: String(constant) };
    return '"when_status" needs "from", a column. Leave it out to set "value" in all rows.';
  }
  if (typeof from !== 'string' || constant !== undefined) {
    return 'must have either "from", a column, or "value", a constant for all rows.';
  }
  const whenStatus = STATUS_TEXTS.find((text) => text === String(status));
  if (status !== undefined && whenStatus === undefined) {
    return `"when_status" must be one of ${STATUS_TEXTS.join(', ')}.`;
  }
  const condition = whenStatus === undefined ? {} : { whenStatus };
  if (codes === undefined) return { from, ...condition };
  if (!isJsonObject(codes) || !Object.values(codes).every(isScalar)) {
    return '"codes" must be an object with codes of the source and their values.';
  }
  const entries = Object.entries(codes).map(([theirs, ours]) => [theirs, String(ours)]);
  return { from, codes: Object.fromEntries(entries), ...condition };
}
