/** A file to import, and the schema that checks one from another process. */

import * as v from 'valibot';
import { timeZoneNamed } from '../../contract/query/calendar.ts';
import { STATUS_TEXTS } from '../../contract/record/statuses.ts';
import { STATED_DIALECT, type StatedDialect } from '../dialect/dialect.ts';
import { MAPPABLE_COLUMNS } from './known-columns.ts';
import type { SourceFile } from './source-file.ts';

/** The path of a file, and the name that reports show. */
export interface ImportFile extends Pick<SourceFile, 'mapping' | 'key'> {
  readonly path: string;
  readonly name: string;
  /** What the user says about its dialect. */
  readonly dialect?: StatedDialect | undefined;
}

const isColumn = (name: string): boolean =>
  Object.values(MAPPABLE_COLUMNS).some((columns) => columns.includes(name));

const isTimeZone = (name: string): boolean => timeZoneNamed(name) !== undefined;

const MAPPED_FIELD = v.union([
  v.strictObject({ value: v.string() }),
  v.strictObject({
    from: v.string(),
    codes: v.optional(v.record(v.string(), v.string())),
    whenStatus: v.optional(v.picklist(STATUS_TEXTS)),
  }),
]);

export const MAPPING = v.strictObject({
  fields: v.record(v.pipe(v.string(), v.check(isColumn, 'unknown field')), MAPPED_FIELD),
  timeZone: v.optional(v.pipe(v.string(), v.check(isTimeZone, 'unknown time zone'))),
});

export const IMPORT_FILE: v.GenericSchema<unknown, ImportFile> = v.strictObject({
  path: v.string(),
  name: v.string(),
  mapping: v.optional(MAPPING),
  key: v.optional(v.string()),
  dialect: v.optional(STATED_DIALECT),
});
