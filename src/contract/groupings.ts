/** What the groups of a summary may be made by. */

export const GROUPINGS = [
  'day',
  'week',
  'month',
  'program_id',
  'publisher_id',
  'status',
  'country',
  'device_type',
  'device_os',
  'browser',
  'subid',
  'type',
] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** The most that one summary is grouped by. */
export const MOST_GROUPINGS = 3;
