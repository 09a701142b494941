/** The texts of the chart over time in English. */

export const chart = {
  granularity: 'Chart by',
  granularities: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
  zoomOut: 'Zoom out',
  /** Shown after `glance.keys`, which describes the arrow keys. */
  zoomKeys:
    'Hold Shift with the arrow keys to select several bars, then press Enter to zoom in on them.',
  /** For a chart that cannot be zoomed in. */
  moveKeys: 'Use the arrow keys to move along the chart.',
  selected: (when: string) => `${when} selected. Enter zooms in, Escape cancels.`,
  former: { previous: 'Previous period', year: 'Previous year', none: '' },
  /** The value of the former period, in the label of a bar. */
  before: (value: string) => `before: ${value}`,
  /** Why the number of a bar is not final. */
  incomplete: { open: 'incomplete', missing: 'no data yet' },
  /** The time is the beginning of the latest hour that has data. */
  dataUntil: (day: string, time: string) => `Latest data: ${day}, after ${time}`,
  noDataSince: (day: string) => `No data since ${day}`,
} as const;
