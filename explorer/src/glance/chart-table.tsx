/** What the chart shows, in numbers. */

import { STATUS_LABELS } from '../../../src/contract/labels.ts';
import { STATUS_ORDER } from '../ask/status-filter.tsx';
import { nameOf } from '../filters.ts';
import type { Stretch } from '../periods.ts';
import { useReader } from '../reader.tsx';
import { labelsOf } from '../texts/texts.ts';
import { type Measure, written } from './measures.ts';
import type { Point } from './points.ts';
import { whenOf } from './when.ts';

interface ChartTableProps {
  readonly points: readonly Point[];
  readonly stretch: Stretch;
  readonly measure: Measure;
}

export function ChartTable({ points, stretch, measure }: ChartTableProps) {
  const { texts, formats } = useReader();
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  return (
    <div className="scrolled">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{texts.ask.period}</th>
            {STATUS_ORDER.map((status) => (
              <th key={status} scope="col">
                {labels[status]}
              </th>
            ))}
            <th scope="col">{nameOf(measure.name, texts)}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ days, parts, total }) => (
            <tr key={days.start}>
              <th scope="row">{whenOf(days, stretch, formats)}</th>
              {parts.map(({ status, value }) => (
                <td key={status}>{written(value, measure, formats)}</td>
              ))}
              <td>{written(total, measure, formats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
