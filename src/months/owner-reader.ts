/** Reads the program and the publisher of a row from its JSON text. */

import { RECORD_FIELDS } from '../contract/record/records.ts';
import type { MonthTable } from './month-statement.ts';
import type { Owners } from './rows/owner-index.ts';
import type { StoredRow } from './rows/stored-row.ts';
import { ValuePositions } from './writing/value-positions.ts';

/** Undefined for a table that is sorted by owner, which needs no index of owners. */
export function ownerReader({ owner }: MonthTable): ((row: StoredRow) => Owners) | undefined {
  if (owner !== undefined) return undefined;
  const program = placeOf('program_id');
  const publisher = placeOf('publisher_id');
  const values = new ValuePositions(RECORD_FIELDS.admin, 1 + Math.max(program, publisher));
  const numberAt = ({ bytes }: StoredRow, place: number) =>
    Number(bytes.toString('latin1', values.startOf(place), values.endOf(place)));
  return (row) => {
    values.read(row);
    return { programId: numberAt(row, program), publisherId: numberAt(row, publisher) };
  };
}

const placeOf = (name: string): number =>
  RECORD_FIELDS.admin.findIndex((field) => field.name === name);
