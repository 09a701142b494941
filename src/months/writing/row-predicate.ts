/** Tests whether a plan selects a row, by the values in its JSON text. */

import { assertNever } from '../../contract/assert-never.ts';
import { RECORD_FIELDS, type RecordField } from '../../contract/record/records.ts';
import type { Filter, ListPlan } from '../../plan/list-plan.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { jsonText } from './json-text.ts';
import { ValuePositions } from './value-positions.ts';

export type RowTest = (row: StoredRow) => boolean;

/** This character replaces invalid UTF-8 in records, so a text with it may differ from the stored one. */
const REPLACEMENT = '\uFFFD';

/** Whether a plan's filters can be tested on the text of a record. */
export const canFilter = ({ filters }: ListPlan): boolean =>
  filters.every(({ values }) => values.every((value) => !String(value).includes(REPLACEMENT)));

/** The predicate of a plan; undefined if it selects all rows. */
export function rowTest(plan: ListPlan): RowTest | undefined {
  const { role, publisherIds, programIds, filters } = plan;
  const record = RECORD_FIELDS[role];
  const among = (name: string, wanted: readonly number[] | 'all'): readonly ValueTest[] =>
    wanted === 'all' ? [] : [valueTest(record, name, wanted.map(String), true)];
  const tests = [
    ...among('publisher_id', publisherIds),
    ...among('program_id', programIds),
    ...filters.map((filter) => filterTest(record, filter)),
  ];
  if (tests.length === 0) return undefined;
  const values = new ValuePositions(record, 1 + Math.max(...tests.map(({ index }) => index)));
  return (row) => {
    values.read(row);
    return tests.every(({ index, texts, isWanted }) => {
      const text = row.bytes.toString('latin1', values.startOf(index), values.endOf(index));
      return texts.has(text) === isWanted;
    });
  };
}

/** The texts that a field must have, or must not have, as Latin-1: one character for each byte. */
interface ValueTest {
  readonly index: number;
  readonly texts: ReadonlySet<string>;
  readonly isWanted: boolean;
}

function filterTest(
  record: readonly RecordField[],
  { field, values, excludes }: Filter,
): ValueTest {
  const isWanted = !excludes;
  switch (field) {
    case 'program_id':
    case 'publisher_id':
    case 'transaction_id':
    case 'orderid':
      return valueTest(record, field, values.map(String), isWanted);
    case 'status':
    case 'clickid':
    case 'subid':
    case 'country':
    case 'device_type':
      return valueTest(
        record,
        field,
        values.map((value) => jsonText(String(value))),
        isWanted,
      );
    default:
      return assertNever(field);
  }
}

const valueTest = (
  record: readonly RecordField[],
  name: string,
  texts: readonly string[],
  isWanted: boolean,
): ValueTest => ({
  index: record.findIndex((field) => field.name === name),
  texts: new Set(texts.map((text) => Buffer.from(text).toString('latin1'))),
  isWanted,
});
