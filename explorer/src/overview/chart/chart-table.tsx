/** The numbers of the chart as a table. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { STATUS_ORDER } from '../../query-form/filters/status-filter.tsx';
import { labelLocaleOf } from '../../texts/languages.ts';
import { scrollableByKeys } from '../../ui/scrollable-by-keys.ts';
import { formatMeasure } from '../measures.ts';
import type { Point, Series } from './points.ts';
import { shortTimeLabel, timeLabel } from './time-label.ts';

interface ChartTableProps {
  /** The id of the chart's heading. */
  readonly title: string;
  readonly series: Series;
}

export function ChartTable({ title, series }: ChartTableProps) {
  const { texts, formats } = useLocalization();
  const labels = STATUS_LABELS[labelLocaleOf(formats.tag)];
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
            <th scope="col">{series.measure.title(texts)}</th>
            {series.formerLabel !== undefined && <th scope="col">{series.formerLabel}</th>}
          </tr>
        </thead>
        <tbody>
          {series.points.map((point) => (
            <PointRow key={point.name} point={point} series={series} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PointRowProps {
  readonly point: Point;
  readonly series: Series;
}

function PointRow({ point, series: { granularity, measure, formerLabel } }: PointRowProps) {
  const { texts, formats } = useLocalization();
  const { parts, total, former, incomplete } = point;
  return (
    <tr>
      <th scope="row">
        <span className="where-wide">{timeLabel(point, granularity, formats)}</span>
        <span className="where-narrow">{shortTimeLabel(point, granularity, formats)}</span>
        {incomplete && <span className="soft"> · {texts.chart.incomplete[incomplete]}</span>}
      </th>
      {parts.map(({ status, value }) => (
        <td key={status}>{formatMeasure(value, measure, formats)}</td>
      ))}
      <td>{formatMeasure(total, measure, formats)}</td>
      {formerLabel !== undefined && (
        <td>{former === undefined ? '–' : formatMeasure(former, measure, formats)}</td>
      )}
    </tr>
  );
}
