/** One value of a record in the reader's language. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { STATUS_NAMES, STATUSES } from '../../../../src/contract/record/statuses.ts';
import { useReader } from '../../layout/reader-context.tsx';
import type { Values } from '../../query/question.ts';
import { labelsOf } from '../../texts/texts.ts';
import type { Formats } from '../../ui/formats.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { isNumeric } from '../columns.ts';

interface ValueProps {
  readonly column: RecordField;
  readonly row: Values;
}

export function Value({ column, row }: ValueProps) {
  const { formats } = useReader();
  const status = STATUSES.find((one) => String(one) === row.status);
  if (column.field.type === 'status_label' && status !== undefined) {
    return (
      <span className={`status ${STATUS_NAMES[status]}`}>
        <StatusIcon status={status} />
        {STATUS_LABELS[labelsOf(formats.tag)][status]}
      </span>
    );
  }
  const value = row[column.name] ?? null;
  return value === null ? <span className="none">–</span> : writtenValue(column, value, formats);
}

/** Cents line up in a column; whoever points at a value sees all of it. */
const CENTS = 100;

/** The same as short as the list has room for. */
export function ShortValue({ column, row }: ValueProps) {
  const { formats } = useReader();
  const value = row[column.name] ?? null;
  if (column.field.type === 'status_label' || value === null) {
    return <Value column={column} row={row} />;
  }
  if (column.field.type !== 'decimal') {
    const text = writtenValue(column, value, formats);
    return <span title={text}>{text}</span>;
  }
  const exact = Number(value);
  // Without the sign of what is nothing.
  const cents = Math.round(exact * CENTS) / CENTS + 0;
  return <span title={formats.amount(exact)}>{formats.amount(cents)}</span>;
}

function writtenValue(column: RecordField, value: string | number, formats: Formats): string {
  const { type } = column.field;
  if (type === 'decimal') return formats.amount(Number(value));
  if (type === 'date') return formats.moment(String(value));
  if (type === 'country') return formats.country(String(value));
  if (column.name === 'device_type') return formats.device(String(value));
  // Identifiers are read digit by digit.
  return isNumeric(column) ? formats.count(Number(value)) : String(value);
}
