/** Choice of the chart's time buckets, and a button that zooms out to a longer period. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { granularitiesFor, granularityOf } from '../../query/granularity.ts';
import { useToday } from '../../query/today.ts';
import { zoomedOut } from '../../query/zoom-out.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';

export function ChartControls() {
  return (
    <div className="chart-controls">
      <GranularityChoice />
      <ZoomOutButton />
    </div>
  );
}

/** Only granularities that fit the period are offered. */
function GranularityChoice() {
  const { texts } = useLocalization();
  const { view, change, days } = useExplorer();
  const fitting = granularitiesFor(days);
  const current = granularityOf(days, view.granularity);
  if (fitting.length < 2) return null;
  return (
    <SegmentedControl
      legend={texts.chart.granularity}
      options={fitting}
      chosen={current}
      isSmall
      labelOf={(granularity) => texts.chart.granularities[granularity]}
      choose={(granularity) => change({ granularity })}
    />
  );
}

function ZoomOutButton() {
  const { texts } = useLocalization();
  const { days, change, service } = useExplorer();
  const period = zoomedOut(days, useToday(service.me.time_zone));
  return (
    <button
      type="button"
      className="quiet icon"
      aria-label={texts.chart.zoomOut}
      title={texts.chart.zoomOut}
      disabled={period === undefined}
      onClick={() => period && change({ period })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5l3.5 3.5M5 7h4" />
      </svg>
    </button>
  );
}
