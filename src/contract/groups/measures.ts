/** The table of measures: the events, actions and money that performance counts or adds up. */

import { KINDS, type Kind } from '../record/kinds.ts';
import { RECORD_FIELDS, type Role } from '../record/records.ts';
import { STATUS_NAMES, STATUSES, type Status } from '../record/statuses.ts';
import type { SUMMED_FIELDS } from '../record/summary.ts';

type SummedField = (typeof SUMMED_FIELDS)[number];

interface MeasureLine {
  readonly name: string;
  /** The field that is added up. Only roles that see it have the measure. Without one, transactions are counted. */
  readonly sums?: SummedField;
  /** All kinds by default. */
  readonly kinds?: readonly Kind[];
  /** All statuses by default. */
  readonly statuses?: readonly Status[];
  /** Adds a measure of each status, such as `sales_pending`. */
  readonly byStatus?: true;
  readonly meaning: string;
}

/**
 * A new measure is a new line. If a measure has the name of the field that it sums, each role sees it by the
 * role's name of the field: affiliates see `remuneration` instead of `remu_publisher`.
 */
// biome-ignore format: one measure a line
const MEASURES = [
  { name: 'impressions', sums: 'total', kinds: ['impressions'], meaning: 'Impressions' },
  { name: 'clics', sums: 'total', kinds: ['clics'], meaning: 'Clicks' },
  { name: 'dbclicks', sums: 'total', kinds: ['dbclicks'], meaning: 'Double clicks' },
  { name: 'leads', kinds: ['leads'], byStatus: true, meaning: 'Number of leads' },
  { name: 'sales', kinds: ['sales'], byStatus: true, meaning: 'Number of sales' },
  { name: 'amount', sums: 'amount', kinds: ['sales'], byStatus: true, meaning: 'Amount of the sales' },
  { name: 'remu_program', sums: 'remu_program', byStatus: true, meaning: 'Remuneration that the program pays, of all types together' },
  { name: 'remu_publisher', sums: 'remu_publisher', byStatus: true, meaning: 'Remuneration that the publisher receives, of all types together' },
  { name: 'earnings', sums: 'remu_publisher', statuses: [1, 2], meaning: 'Validated and pending remuneration that the publisher receives, of all types together' },
] as const satisfies readonly MeasureLine[];

type Line = (typeof MEASURES)[number];

type StatusName = (typeof STATUS_NAMES)[Status];

/** The names of measures, as administrators see them. */
export type MeasureName =
  | Line['name']
  | `${Extract<Line, { byStatus: true }>['name']}_${StatusName}`;

/** A measure as a role sees it. */
export interface Measure {
  readonly name: string;
  /** The field that is added up, by its name in the role's record; undefined to count transactions. */
  readonly sums: string | undefined;
  readonly kinds: readonly Kind[];
  readonly statuses: readonly Status[];
  readonly type: 'integer' | 'decimal';
  readonly meaning: string;
}

/** The measures that a role sees, in the order of its record. */
export const measuresOf = (role: Role): readonly Measure[] =>
  MEASURES.flatMap((line) => measuresOfLine(line, role));

function measuresOfLine(line: MeasureLine, role: Role): readonly Measure[] {
  const { sums, kinds = KINDS, statuses = STATUSES, byStatus } = line;
  const summed = RECORD_FIELDS[role].find(({ field }) => field.name === sums);
  if (sums !== undefined && summed === undefined) return [];
  const all: Measure = {
    name: summed !== undefined && line.name === sums ? summed.name : line.name,
    sums: summed?.name,
    kinds,
    statuses,
    type: summed?.field.type === 'decimal' ? 'decimal' : 'integer',
    meaning: line.meaning,
  };
  return byStatus ? [all, ...STATUSES.map((status) => ofStatus(all, status))] : [all];
}

const ofStatus = (measure: Measure, status: Status): Measure => ({
  ...measure,
  name: `${measure.name}_${STATUS_NAMES[status]}`,
  statuses: [status],
  meaning: `${measure.meaning}: ${STATUS_NAMES[status]}`,
});
