/** Generates the pages of the reference from the tables in the code. */

import { AUDIT_EVENTS } from '../../audit/audit-events.ts';
import { QUESTION } from '../../audit/audit-question.ts';
import { performanceMeasures } from '../../contract/groups/performance-record.ts';
import { RATIO_DECIMALS } from '../../contract/groups/ratios.ts';
import { openApiDocument } from '../../contract/openapi/openapi.ts';
import { PROBLEM_CODES } from '../../contract/problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../../contract/problems/problem-explanations.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problems/problems.ts';
import { DIRECTORY_PARAMETERS } from '../../contract/query/directory-parameters.ts';
import { AGES, GROUPINGS, performanceGroupingsOf } from '../../contract/query/groupings.ts';
import {
  PARAMETERS,
  type ParameterTable,
  SUMMARY_PARAMETERS,
} from '../../contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../../contract/query/performance-parameters.ts';
import { LISTED_DIRECTORIES, NAME_FIELDS } from '../../contract/record/directory.ts';
import { type Field, type FieldType, PERSONAL_FIELDS } from '../../contract/record/fields.ts';
import { LOCALES, STATUS_LABELS } from '../../contract/record/labels.ts';
import { RECORDS, type RecordField, ROLES, type Role } from '../../contract/record/records.ts';
import { STATUS_TEXTS, STATUSES } from '../../contract/record/statuses.ts';
import { measureFields } from '../../contract/record/summary.ts';
import { METRICS } from '../../metrics/metric-table.ts';
import { SETTING_NAMES, setting } from '../inputs/settings.ts';
import { mappingPage } from './mapping-reference.ts';
import { code, page, section, table } from './reference-markdown.ts';

/** The pages by file name. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(''), null, 2)}\n`],
    ['fields.md', fieldsPage()],
    ['parameters.md', parametersPage()],
    ['problems.md', problemsPage()],
    ['settings.md', settingsPage()],
    ['metrics.md', metricsPage()],
    ['audit.md', auditPage()],
    ['mapping.md', mappingPage()],
  ]);

function fieldsPage(): string {
  return page('Fields', [
    'Every record has all fields of its role, in this order. A field that may be null is null if the transaction has no value, or if the field does not apply to the type.',
    section('The administrator’s record', fieldTable(RECORDS.admin)),
    section('The affiliate’s record', fieldTable(RECORDS.affiliate)),
    section('Names', names()),
    section('Personal fields', personalFields()),
    section('Summaries', summaries()),
    section('Performance', performance()),
    section('Types of values', valueTypes()),
    section(
      'Status labels',
      table(
        ['Language', ...STATUSES.map(String)],
        LOCALES.map((locale) => [locale, ...STATUS_LABELS[locale]]),
      ),
    ),
  ]);
}

const names = (): string =>
  `Lists have these only where the parameter \`fields\` asks for them, such as \`fields=transaction_id,program_name\`:\n\n${fieldTable(NAME_FIELDS)}`;

const personalFields = (): string =>
  `An [erasure](../how-to/privacy.md) empties these: ${PERSONAL_FIELDS.map(({ name }) => code(name)).join(', ')}.`;

/** The count, sums and fingerprint of a group. */
function summaries(): string {
  const ofRole = (role: Role) => fieldTable(measureFields(role));
  return [
    `A group begins with the fields of its groupings, in the order of \`group_by\`: ${GROUPINGS.map(code).join(', ')}. A status is followed by its label. A day has the form \`YYYY-MM-DD\`, a week is the date of its Monday, a month has the form \`YYYY-MM\`, and an hour has the form \`YYYY-MM-DD HH:00\`. An age is one of ${AGES.map(({ name }) => code(name)).join(', ')}, in days. Only administrators group by \`coupon\` and \`invoice_id\`. The other fields of a group are, for administrators,`,
    ofRole('admin'),
    'and for affiliates',
    ofRole('affiliate'),
    'A sum is always a number, and 0 without values. Null adds nothing.',
  ].join('\n\n');
}

/** The measures and ratios of performance. */
function performance(): string {
  const ofRole = (role: Role) => fieldTable(performanceMeasures(role));
  return [
    `A record begins with the fields of its groupings, in the order of \`group_by\`: ${performanceGroupingsOf('admin').map(code).join(', ')}, as in summaries. The other fields are, for administrators,`,
    ofRole('admin'),
    'and for affiliates',
    ofRole('affiliate'),
    `Sums are exact. A ratio is a fraction, such as 0.05 for 5 %, rounded half away from zero to ${RATIO_DECIMALS} decimal places. It is null if the number below the line is 0. With \`compare\`, the same fields of the former period follow, with \`former_\` before their names.`,
  ].join('\n\n');
}

function fieldTable(fields: readonly RecordField[]): string {
  const rows = fields.map(({ name, field }) => [
    code(name),
    field.type.replace('_', ' '),
    field.required ? '' : 'null',
    meaningOf(field),
  ]);
  return table(['Field', 'Value', '', 'Meaning'], rows);
}

const meaningOf = ({ meaning, kinds }: Field): string =>
  kinds === undefined ? meaning : `${meaning} (${kinds.join(', ')})`;

const VALUE_TYPES: { readonly [type in FieldType]: string } = {
  integer: 'a JSON number, 0 to 9007199254740991 (2^53−1)',
  decimal: 'a JSON number with at most 12 digits before the point and 6 after it, exact',
  text: 'any Unicode text',
  word: 'any Unicode text; few different values',
  address: 'IPv4 or IPv6 in its usual notation',
  country: 'ISO 3166-1 alpha-2, upper case',
  date: '`YYYY-MM-DD HH:MM:SS` in the platform’s time zone',
  status: `one of ${STATUS_TEXTS.map((text) => `\`"${text}"\``).join(', ')}`,
  status_label: 'the label of the status in the reader’s language; import ignores it',
};

const valueTypes = (): string =>
  table(
    ['Value', ''],
    Object.entries(VALUE_TYPES).map(([type, meaning]) => [type.replace('_', ' '), meaning]),
  );

function parametersPage(): string {
  return page('Parameters', [
    'A parameter is given once, with a value; any other is refused.',
    section('Lists', parametersOf(PARAMETERS, 'transactions')),
    section('Summaries', parametersOf(SUMMARY_PARAMETERS, 'transactions/summary')),
    section('Performance', parametersOf(PERFORMANCE_PARAMETERS, 'performance')),
    section('Programs and publishers', parametersOf(DIRECTORY_PARAMETERS, ...LISTED_DIRECTORIES)),
  ]);
}

function parametersOf(parameters: ParameterTable, ...places: readonly string[]): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => [
    code(name),
    parameter.required ? 'required' : 'optional',
    parameter.meaning,
    code(`${name}=${parameter.example}`),
  ]);
  const paths = places.flatMap((place) => ROLES.map((role) => `\`GET /api/${role}/${place}\``));
  return `Parameters of ${new Intl.ListFormat('en-GB').format(paths)}.\n\n${table(['Parameter', '', 'Meaning', 'Example'], rows)}`;
}

function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(([name, { status, title, detail }]) => [
    String(status),
    code(name),
    title,
    detail,
  ]);
  return page('Problems', [
    'Every refusal is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail`, `code` and `request_id`; wrong parameters are named in `errors`. `type` is the address of a page on the running server that says what stands here.',
    table(['Status', 'Code', 'Title', 'What to do'], rows),
    ...PROBLEM_CODES.map(explanation),
  ]);
}

function explanation(name: ProblemCode): string {
  const { meaning, remedy } = PROBLEM_EXPLANATIONS[name];
  const title = `${code(name)} (${PROBLEMS[name].status})`;
  return section(title, `${meaning}\n\n**What to do.** ${remedy}`);
}

function settingsPage(): string {
  const rows = SETTING_NAMES.map(setting).map(({ env, flag, fallback, meaning }) => [
    code(env),
    flag === undefined ? '' : code(flag),
    fallback ? code(fallback) : '',
    meaning,
  ]);
  return page('Settings', [
    'A flag counts before the environment variable, and that before the default. `transactions check` shows the effective ones.',
    table(['Variable', 'Flag', 'Default', 'Meaning'], rows),
  ]);
}

function metricsPage(): string {
  const rows = Object.entries(METRICS).map(([name, { type, labels, help }]) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]);
  return page('Metrics', [
    'The metrics that `ADMIN_ADDRESS` serves at `/metrics`, in the text format of OpenMetrics. See [how to monitor](../how-to/monitor.md).',
    table(['Metric', 'Type', 'Labels', 'Meaning'], rows),
  ]);
}

function auditPage(): string {
  const rows = Object.entries(AUDIT_EVENTS).map(([name, { meaning, details }]) => [
    code(name),
    meaning,
    Object.keys(details.entries).map(code).join(', '),
  ]);
  return page('Audit log', [
    'The events of the audit log, and the members of their `details`. See [who received what](../how-to/audit.md).',
    table(['Event', 'Meaning', 'Details'], rows),
    `The question of a report has the members ${Object.keys(QUESTION.entries).map(code).join(', ')}.`,
  ]);
}
