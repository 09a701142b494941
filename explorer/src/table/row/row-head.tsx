/** The status, the money and the timeline of one transaction, above its other fields. */

import { appliesTo } from '../../../../src/contract/record/fields.ts';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { RECORD_FIELDS } from '../../../../src/contract/record/records.ts';
import { STATUS_NAMES, STATUSES } from '../../../../src/contract/record/statuses.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import { fieldLabel } from '../../query/filters.ts';
import { labelLocaleOf } from '../../texts/languages.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { timelineOf } from './timeline.ts';

export function RowHead({ row }: { readonly row: ResultRow }) {
  const { texts, formats } = useLocalization();
  const status = STATUSES.find((one) => String(one) === row.status);
  const timeline = timelineOf(row, status);
  return (
    <div className="row-head">
      {status !== undefined && (
        <p className={`status row-status ${STATUS_NAMES[status]}`}>
          <StatusIcon status={status} />
          {STATUS_LABELS[labelLocaleOf(formats.tag)][status]}
        </p>
      )}
      <Money row={row} />
      {timeline.length > 0 && (
        <ol className="timeline" aria-label={texts.row.timeline}>
          {timeline.map(({ event, at }) => (
            <li key={event} className={event}>
              <span>{texts.row.events[event]}</span>
              <time dateTime={at.replace(' ', 'T')}>{formats.moment(at)}</time>
            </li>
          ))}
        </ol>
      )}
      {typeof row.payment_id === 'string' && (
        <p className="small">{texts.row.paid(row.payment_id)}</p>
      )}
    </div>
  );
}

/** The amounts of the record, in the order of its fields. */
function Money({ row }: { readonly row: ResultRow }) {
  const { texts, formats } = useLocalization();
  const { service, view } = useExplorer();
  const columns = RECORD_FIELDS[service.role].filter(
    ({ name, field }) =>
      field.type === 'decimal' && appliesTo(field, view.kind) && typeof row[name] === 'number',
  );
  if (columns.length === 0) return null;
  return (
    <ul className="row-money">
      {columns.map(({ name }) => (
        <li key={name}>
          <span className="soft small">{fieldLabel(name, texts)}</span>
          <strong>{formats.amount(Number(row[name]))}</strong>
        </li>
      ))}
    </ul>
  );
}
