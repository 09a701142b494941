/** Legend of the chart: the sum of each status, as buttons that filter by status, and of the former period. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldLabel } from '../../query/filters.ts';
import { STATUS_ORDER } from '../../query-form/filters/status-filter.tsx';
import { labelLocaleOf } from '../../texts/languages.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { formatMeasure, type SummaryMeasure } from '../measures.ts';
import { selectedValues, toggleFilter } from '../toggle-filter.ts';
import type { Point } from './points.ts';

interface LegendProps {
  readonly points: readonly Point[] | undefined;
  readonly measure: SummaryMeasure;
  /**
   * The former period; undefined without a comparison. Its `sum` is undefined until it is known. The sum is not shown
   * if the period is longer (`isLonger`): the present one ends with the last hour, and the former with its day.
   */
  readonly former: { readonly sum: number | undefined; readonly isLonger: boolean } | undefined;
}

export function Legend({ points, measure, former }: LegendProps) {
  const { texts, formats } = useLocalization();
  const { view, change } = useExplorer();
  const selected = selectedValues(view.filters, 'status');
  const sumAt = (place: number, of: readonly Point[]) =>
    of.reduce((sum, { parts }) => sum + (parts[place]?.value ?? 0), 0);
  return (
    <ul className="legend" aria-label={texts.glance.statuses}>
      {STATUS_ORDER.map((status, place) => {
        const label = STATUS_LABELS[labelLocaleOf(formats.tag)][status];
        const isPressed = selected.includes(String(status));
        return (
          <li key={status}>
            <button
              type="button"
              className="quiet"
              aria-pressed={isPressed}
              title={
                isPressed
                  ? texts.ask.remove(fieldLabel('status_label', texts))
                  : texts.glance.only(label)
              }
              onClick={() =>
                change({ filters: toggleFilter(view.filters, 'status', String(status)) })
              }
            >
              <StatusIcon status={status} />
              {label}{' '}
              <strong>
                {points === undefined ? '…' : formatMeasure(sumAt(place, points), measure, formats)}
              </strong>
            </button>
          </li>
        );
      })}
      {former && (
        <li className="former-key">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M0 8h16" />
          </svg>
          {texts.chart.former[view.compare]}{' '}
          {!former.isLonger && (
            <strong>
              {former.sum === undefined ? '…' : formatMeasure(former.sum, measure, formats)}
            </strong>
          )}
        </li>
      )}
    </ul>
  );
}
