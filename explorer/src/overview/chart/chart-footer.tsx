/** Footer of the chart: the time of the newest data, and what the mark of incomplete bars means. */

import { useLocalization } from '../../layout/localization-context.tsx';
import type { LatestHour } from '../../query/latest-hour.ts';
import { dayOf } from '../../query/periods.ts';
import type { Point } from './points.ts';

interface ChartFooterProps {
  readonly points: readonly Point[];
  /** Undefined until it is known. */
  readonly latest: LatestHour | undefined;
}

export function ChartFooter({ points, latest }: ChartFooterProps) {
  const { texts, formats } = useLocalization();
  const { incomplete, dataUntil, noDataSince } = texts.chart;
  const found = (['open', 'missing'] as const).filter((state) =>
    points.some((point) => point.incomplete === state),
  );
  const until = (hour: string) => dataUntil(formats.day(dayOf(hour)), formats.time(hour));
  return (
    <p className="data-until soft small">
      {found.length > 0 && (
        <span className="mark-key">
          <span className="mark" aria-hidden="true" />
          {found.map((state) => incomplete[state]).join(', ')}
        </span>
      )}
      {latest && (
        <span>
          {latest.hour === undefined ? noDataSince(formats.day(latest.since)) : until(latest.hour)}
        </span>
      )}
    </p>
  );
}
