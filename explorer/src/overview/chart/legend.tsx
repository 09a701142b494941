/** What the colours of the chart stand for and add up to, as switches of the status. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useAccess } from '../../access/access-context.tsx';
import { useReader } from '../../layout/reader-context.tsx';
import { nameOf } from '../../query/filters.ts';
import { STATUS_ORDER } from '../../query-form/status-filter.tsx';
import { labelsOf } from '../../texts/texts.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { type Measure, written } from '../measures.ts';
import { isFilterOn, toggleFilter } from '../toggle-filter.ts';
import type { Point } from './points.ts';

interface LegendProps {
  readonly points: readonly Point[] | undefined;
  readonly measure: Measure;
}

export function Legend({ points, measure }: LegendProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAccess();
  const pressed = isFilterOn(view.filters, 'status');
  const sumAt = (place: number, of: readonly Point[]) =>
    of.reduce((sum, { parts }) => sum + (parts[place]?.value ?? 0), 0);
  return (
    <ul className="legend" aria-label={texts.glance.statuses}>
      {STATUS_ORDER.map((status, place) => {
        const label = STATUS_LABELS[labelsOf(formats.tag)][status];
        const isPressed = pressed.includes(String(status));
        return (
          <li key={status}>
            <button
              type="button"
              className="quiet"
              aria-pressed={isPressed}
              title={
                isPressed
                  ? texts.ask.remove(nameOf('status_label', texts))
                  : texts.glance.only(label)
              }
              onClick={() =>
                change({ filters: toggleFilter(view.filters, 'status', String(status)) })
              }
            >
              <StatusIcon status={status} />
              {label}{' '}
              <strong>
                {points === undefined ? '…' : written(sumAt(place, points), measure, formats)}
              </strong>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
