/** Writes rows of the month cache as the engine writes them: whole records, some fields, or CSV. */

import { assertNever } from '../../contract/assert-never.ts';
import { STATUS_LABELS } from '../../contract/record/labels.ts';
import { RECORD_FIELDS } from '../../contract/record/records.ts';
import { textFormOf } from '../../plan/form.ts';
import type { Presentation } from '../../plan/list-plan.ts';
import { CSV_STYLES } from '../../plan/rendering/csv-style.ts';
import { RECORD_SEPARATORS, usesStoredRecords } from '../../plan/rendering/stored-records.ts';
import { csvLineWriter } from './csv-writer.ts';
import type { RowWriter } from './row-writer.ts';
import { ValuePositions } from './value-positions.ts';

/** The writer for a plan. Throws a TypeError for the form of a file, which only the engine writes. */
export function rowWriter(plan: Presentation): RowWriter {
  const form = textFormOf(plan);
  switch (form) {
    case 'json':
      return recordWriter(plan, Buffer.from(RECORD_SEPARATORS.json));
    case 'ndjson':
      return recordWriter(plan, Buffer.from(RECORD_SEPARATORS.ndjson));
    case 'csv':
    case 'excel':
    case 'excel-en':
      return csvLineWriter(plan, CSV_STYLES[form], statusLabelsOf(plan));
    default:
      return assertNever(form);
  }
}

/** The label of each status in the language of the plan. */
const statusLabelsOf = ({ locale }: Presentation): readonly Buffer[] =>
  STATUS_LABELS[locale].map((label) => Buffer.from(label));

const recordWriter = (plan: Presentation, lead: Buffer): RowWriter =>
  usesStoredRecords(plan)
    ? wholeWriter(lead, statusLabelsOf(plan))
    : fieldsWriter(plan, lead, statusLabelsOf(plan));

const wholeWriter =
  (lead: Buffer, labels: readonly Buffer[]): RowWriter =>
  (row, target, start) => {
    const { bytes, textStart, labelAt, end, status } = row;
    let position = start + lead.copy(target, start);
    position += bytes.copy(target, position, textStart, labelAt);
    position += labels[status]?.copy(target, position) ?? 0;
    return position + bytes.copy(target, position, labelAt, end);
  };

/** A field as it is written, and its index in the record. */
interface WrittenField {
  readonly key: Buffer;
  readonly index: number;
  readonly isLabel: boolean;
}

const QUOTE = 0x22;
const CLOSING = 0x7d;

function fieldsWriter(plan: Presentation, lead: Buffer, labels: readonly Buffer[]): RowWriter {
  const record = RECORD_FIELDS[plan.role];
  const fields = plan.fields.map(
    ({ name, field }, at): WrittenField => ({
      key: Buffer.from(`${at === 0 ? '{' : ','}"${name}":`),
      index: record.findIndex((other) => other.name === name),
      isLabel: field.type === 'status_label',
    }),
  );
  const values = new ValuePositions(record, 1 + Math.max(...fields.map(({ index }) => index)));
  return (row, target, start) => {
    values.read(row);
    let position = start + lead.copy(target, start);
    for (const { key, index, isLabel } of fields) {
      position += key.copy(target, position);
      if (isLabel) {
        target[position] = QUOTE;
        position += 1 + (labels[row.status]?.copy(target, position + 1) ?? 0);
        target[position] = QUOTE;
        position += 1;
      } else {
        position += row.bytes.copy(target, position, values.startOf(index), values.endOf(index));
      }
    }
    target[position] = CLOSING;
    return position + 1;
  };
}
