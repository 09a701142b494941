/** Generates the pages of the reference from the tables in the code. */

import { AUDIT_EVENTS } from '../../audit/audit-events.ts';
import { QUESTION } from '../../audit/audit-question.ts';
import { openApiDocument } from '../../contract/openapi/openapi.ts';
import { PROBLEM_CODES } from '../../contract/problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../../contract/problems/problem-explanations.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problems/problems.ts';
import { METRICS } from '../../metrics/metric-table.ts';
import { SETTING_NAMES, setting } from '../inputs/settings.ts';
import { fieldsPage } from './fields-page.ts';
import { mappingPage } from './mapping-page.ts';
import { parametersPage } from './parameters-page.ts';
import { postmanCollection } from './postman-collection.ts';
import { code, page, section, table } from './reference-markdown.ts';

/** The pages by file name. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['openapi.json', jsonFile(openApiDocument(''))],
    ['postman-collection.json', jsonFile(postmanCollection())],
    ['fields.md', fieldsPage()],
    ['parameters.md', parametersPage()],
    ['problems.md', problemsPage()],
    ['settings.md', settingsPage()],
    ['metrics.md', metricsPage()],
    ['audit.md', auditPage()],
    ['mapping.md', mappingPage()],
  ]);

const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(([name, { status, title, detail }]) => [
    String(status),
    code(name),
    title,
    detail,
  ]);
  return page('Problems', [
    'Every refusal is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail`, `code` and `request_id`; wrong parameters are named in `errors`. `type` is the address of a page on the running server with the explanation below.',
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
    'A flag takes precedence over the environment variable, and the variable over the default. `transactions check` shows the settings in effect.',
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
