/** One value of a record, formatted in the user's language. */

import { assertNever } from '../../../../src/contract/assert-never.ts';
import { nameFieldOf } from '../../../../src/contract/record/directory.ts';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { STATUS_NAMES, STATUSES } from '../../../../src/contract/record/statuses.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import { labelLocaleOf } from '../../texts/languages.ts';
import type { LocaleFormats } from '../../ui/formats.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { isNumeric } from './column-class.ts';

interface ValueProps {
  readonly column: RecordField;
  readonly row: ResultRow;
}

export function Value({ column, row }: ValueProps) {
  const { formats } = useLocalization();
  const status = STATUSES.find((one) => String(one) === row.status);
  if (column.field.type === 'status_label' && status !== undefined) {
    return (
      <span className={`status ${STATUS_NAMES[status]}`}>
        <StatusIcon status={status} />
        {STATUS_LABELS[labelLocaleOf(formats.tag)][status]}
      </span>
    );
  }
  const value = row[column.name] ?? null;
  if (value === null) return <span className="none">–</span>;
  const text = formatValue(column, value, formats);
  const name = nameIn(row, column);
  return name === undefined ? text : `${name} (${text})`;
}

/** Short form for the grid, with the full value as tooltip. Amounts are rounded, and names replace identifiers. */
export function ShortValue({ column, row }: ValueProps) {
  const { formats } = useLocalization();
  const value = row[column.name] ?? null;
  if (column.field.type === 'status_label' || value === null) {
    return <Value column={column} row={row} />;
  }
  if (column.field.type !== 'decimal') {
    const text = formatValue(column, value, formats);
    const name = nameIn(row, column);
    if (name !== undefined) return <span title={`${name} (${text})`}>{name}</span>;
    return <span title={text}>{text}</span>;
  }
  const amount = Number(value);
  return <span title={formats.amount(amount)}>{formats.roundedAmount(amount)}</span>;
}

/** The name of an identifier; undefined if the directory has none. */
function nameIn(row: ResultRow, column: RecordField): string | undefined {
  const name = row[nameFieldOf(column.name)?.name ?? ''];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function formatValue(column: RecordField, value: string | number, formats: LocaleFormats): string {
  const { type } = column.field;
  if (column.name === 'device_type') return formats.device(String(value));
  switch (type) {
    case 'integer':
      // Identifiers have no thousands separators.
      return isNumeric(column) ? formats.count(Number(value)) : String(value);
    case 'decimal':
      return formats.amount(Number(value));
    case 'date':
      return formats.moment(String(value));
    case 'country':
      return formats.country(String(value));
    case 'text':
    case 'word':
    case 'address':
    case 'status':
    case 'status_label':
      return String(value);
    default:
      return assertNever(type);
  }
}
