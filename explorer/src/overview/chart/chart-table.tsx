/** The numbers of the chart as a table. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { Granularity } from '../../query/periods.ts';
import { STATUS_ORDER } from '../../query-form/status-filter.tsx';
import { labelsOf } from '../../texts/languages.ts';
import { formatMeasure, type Measure } from '../measures.ts';
import type { Point } from './points.ts';
import { shortTimeLabel, timeLabel } from './time-label.ts';

interface ChartTableProps {
  /** The id of the chart's heading. */
  readonly title: string;
  readonly points: readonly Point[];
  readonly granularity: Granularity;
  readonly measure: Measure;
}

/** Focusable, so that arrow keys scroll a table wider than the screen. */
const scrollableByKeys = (title: string) => ({
  role: 'region',
  tabIndex: 0,
  'aria-labelledby': title,
});

export function ChartTable({ title, points, granularity, measure }: ChartTableProps) {
  const { texts, formats } = useLocalization();
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  return (
    <div {...scrollableByKeys(title)} className="scrolled">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{texts.ask.period}</th>
            {STATUS_ORDER.map((status) => (
              <th key={status} scope="col">
                {labels[status]}
              </th>
            ))}
            <th scope="col">{measure.title(texts)}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.days.start}>
              <th scope="row">
                <span className="where-wide">{timeLabel(point, granularity, formats)}</span>
                <span className="where-narrow">{shortTimeLabel(point, granularity, formats)}</span>
              </th>
              {point.parts.map(({ status, value }) => (
                <td key={status}>{formatMeasure(value, measure, formats)}</td>
              ))}
              <td>{formatMeasure(point.total, measure, formats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
