/** What the chart shows, in numbers. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useReader } from '../../layout/reader-context.tsx';
import type { Stretch } from '../../query/periods.ts';
import { STATUS_ORDER } from '../../query-form/status-filter.tsx';
import { labelsOf } from '../../texts/texts.ts';
import { type Measure, written } from '../measures.ts';
import type { Point } from './points.ts';
import { shortTimeLabel, timeLabel } from './time-label.ts';

interface ChartTableProps {
  /** The id of what the chart is called by. */
  readonly title: string;
  readonly points: readonly Point[];
  readonly stretch: Stretch;
  readonly measure: Measure;
}

/** What is wider than the screen is moved by arrow keys too. */
const scrolledByKeys = (title: string) => ({
  role: 'region',
  tabIndex: 0,
  'aria-labelledby': title,
});

export function ChartTable({ title, points, stretch, measure }: ChartTableProps) {
  const { texts, formats } = useReader();
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  return (
    <div {...scrolledByKeys(title)} className="scrolled">
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
                <span className="where-wide">{timeLabel(point, stretch, formats)}</span>
                <span className="where-narrow">{shortTimeLabel(point, stretch, formats)}</span>
              </th>
              {point.parts.map(({ status, value }) => (
                <td key={status}>{written(value, measure, formats)}</td>
              ))}
              <td>{written(point.total, measure, formats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
