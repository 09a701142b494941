/** The tool that explains a name: a field, measure, ratio, grouping, parameter, status or problem. */

import { performanceMeasures } from '../contract/groups/performance-record.ts';
import type { JsonObject } from '../contract/json-object.ts';
import { PROBLEM_CODES } from '../contract/problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../contract/problems/problem-explanations.ts';
import { PROBLEMS } from '../contract/problems/problems.ts';
import { CHANGES_PARAMETERS } from '../contract/query/changes-parameters.ts';
import { AGES, TIME_UNITS } from '../contract/query/groupings.ts';
import {
  LIST_PARAMETERS,
  parametersFor,
  SUMMARY_PARAMETERS,
} from '../contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../contract/query/performance-parameters.ts';
import { suggestionFor } from '../contract/query/suggestion.ts';
import { RECORD_FIELDS, type RecordField, type Role } from '../contract/record/records.ts';
import { STATUS_NAMES } from '../contract/record/statuses.ts';
import { totalsFields } from '../contract/record/summary.ts';
import { InvalidArguments } from './tool-arguments.ts';
import { toolObjectSchema } from './tool-schemas.ts';

export const EXPLAIN_TOOL = {
  title: 'Explain a name',
  description:
    'What a field, measure, ratio, grouping, parameter, status or problem code means, by its name.',
} as const;

export const EXPLAIN_INPUT = toolObjectSchema(
  { name: { type: 'string', description: 'For example earnings, status or too_many_requests' } },
  ['name'],
);

const MEANING = toolObjectSchema(
  { kind: { type: 'string' }, type: { type: 'string' }, meaning: { type: 'string' } },
  ['kind', 'meaning'],
);

export const EXPLAIN_OUTPUT = toolObjectSchema(
  { name: { type: 'string' }, meanings: { type: 'array', items: MEANING } },
  ['name', 'meanings'],
);

interface Meaning {
  readonly name: string;
  readonly kind: string;
  readonly type?: string;
  readonly meaning: string;
}

export function answerExplain({ name }: JsonObject, role: Role): JsonObject {
  const wanted = typeof name === 'string' ? name.trim().toLowerCase() : '';
  const all = meaningsFor(role);
  const meanings = all.filter((each) => each.name === wanted);
  if (meanings.length > 0) {
    return { name: wanted, meanings: meanings.map(({ name: _, ...meaning }) => meaning) };
  }
  const names = all.map((each) => each.name);
  throw new InvalidArguments(
    `name: There is no field, parameter or problem with this name that the token may read.${suggestionFor(wanted, names)}`,
  );
}

const ofFields = (kind: string, fields: readonly RecordField[]): readonly Meaning[] =>
  fields.map(({ name, field: { type, meaning } }) => ({ name, kind, type, meaning }));

const ofLines = (
  kind: string,
  lines: Readonly<Record<string, { readonly meaning: string }>>,
): readonly Meaning[] =>
  Object.entries(lines).map(([name, { meaning }]) => ({ name, kind, meaning }));

const ALL_PARAMETERS = {
  ...CHANGES_PARAMETERS,
  ...PERFORMANCE_PARAMETERS,
  ...SUMMARY_PARAMETERS,
  ...LIST_PARAMETERS,
};

/** The meanings of all names that the role can read. */
const meaningsFor = (role: Role): readonly Meaning[] => [
  ...ofFields('field of a transaction', RECORD_FIELDS[role]),
  ...ofFields('measure or ratio of performance', performanceMeasures(role)),
  ...ofFields('measure of a summary', totalsFields(role)),
  ...ofLines('grouping', TIME_UNITS),
  {
    name: 'age',
    kind: 'grouping',
    meaning: `Days since the creation: ${AGES.map(({ name }) => name).join(', ')}`,
  },
  ...ofLines('parameter', parametersFor(ALL_PARAMETERS, role)),
  ...Object.entries(STATUS_NAMES).flatMap(([status, meaning]) => [
    { name: status, kind: 'status', meaning },
    { name: meaning, kind: 'status', meaning: `status ${status}` },
  ]),
  ...PROBLEM_CODES.map((code) => {
    const { meaning, remedy } = PROBLEM_EXPLANATIONS[code];
    const { title, status } = PROBLEMS[code];
    return { name: code, kind: 'problem', meaning: `${title} (${status}). ${meaning} ${remedy}` };
  }),
];
