/** The reference page of query parameters. */

import { CHANGES_PARAMETERS } from '../../contract/query/changes-parameters.ts';
import { DIRECTORY_PARAMETERS } from '../../contract/query/directory-parameters.ts';
import {
  LIST_PARAMETERS,
  type Parameter,
  type ParameterTable,
  SUMMARY_PARAMETERS,
} from '../../contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../../contract/query/performance-parameters.ts';
import { LISTED_DIRECTORIES } from '../../contract/record/directory.ts';
import { ROLES } from '../../contract/record/records.ts';
import { TOKEN_PARAMETERS } from '../../contract/tokens/token-parameters.ts';
import {
  PAUSE_PARAMETERS,
  REPLAY_PARAMETERS,
  WEBHOOK_PARAMETERS,
} from '../../contract/webhooks/webhook-parameters.ts';
import { code, page, section, table } from './reference-markdown.ts';

export function parametersPage(): string {
  return page('Parameters', [
    'A parameter is given once, with a value. The values of a list may be separated by commas, repeated (`status=1&status=2`) or in brackets (`status[]=1`). In lists of free texts, such as `subid`, a comma belongs to the value: repeat the parameter instead. Unknown parameters are refused.',
    'Filters apply together: a transaction must pass each of them. A filter with several values selects transactions that have any of them. `exclude_` before the name of a filter selects all other transactions, including those without a value.',
    section('Lists', parametersOf(LIST_PARAMETERS, 'transactions')),
    section('Summaries', parametersOf(SUMMARY_PARAMETERS, 'transactions/summary')),
    section('Performance', parametersOf(PERFORMANCE_PARAMETERS, 'performance')),
    section('Changes', parametersOf(CHANGES_PARAMETERS, 'transactions/changes')),
    section('Programs and publishers', parametersOf(DIRECTORY_PARAMETERS, ...LISTED_DIRECTORIES)),
    section('Access tokens', parameterTable(['POST /api/admin/tokens'], TOKEN_PARAMETERS)),
    section('Webhooks', webhookParameters()),
  ]);
}

const parametersOf = (parameters: ParameterTable, ...places: readonly string[]): string =>
  parameterTable(
    places.flatMap((place) => ROLES.map((role) => `GET /api/${role}/${place}`)),
    parameters,
  );

const webhookParameters = (): string =>
  [
    parameterTable(['POST /api/admin/webhooks'], WEBHOOK_PARAMETERS),
    parameterTable(['PATCH /api/admin/webhooks/{id}'], PAUSE_PARAMETERS),
    parameterTable(['POST /api/admin/webhooks/{id}/replay'], REPLAY_PARAMETERS),
  ].join('\n\n');

const availability = ({ roles = ROLES }: Parameter<unknown>): string =>
  roles.length === ROLES.length ? 'optional' : `optional, ${roles.join()} only`;

function parameterTable(operations: readonly string[], parameters: ParameterTable): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => [
    code(name),
    parameter.required ? 'required' : availability(parameter),
    parameter.meaning,
    code(`${name}=${parameter.example}`),
  ]);
  const paths = operations.map(code);
  return `Parameters of ${new Intl.ListFormat('en-GB').format(paths)}.\n\n${table(['Parameter', '', 'Meaning', 'Example'], rows)}`;
}
