/** A section of the documentation page: the parameters, responses and problems of an operation. */

import { EXAMPLE_QUERY } from '../contract/openapi/examples.ts';
import { type HeaderDefinition, REQUEST_HEADERS } from '../contract/openapi/headers.ts';
import { problemsOf } from '../contract/openapi/openapi-operation.ts';
import type { Operation, OperationResponse } from '../contract/openapi/operation.ts';
import { problemPath } from '../contract/problems/problem-body.ts';
import { PROBLEMS } from '../contract/problems/problems.ts';
import type { Schema } from '../contract/query/parameter-schemas.ts';
import { type Parameter, schemaOfParameter } from '../contract/query/parameters.ts';
import { bilingual } from './bilingual.ts';
import { codeBlock, type Html, html, jsonBlock, prose, table } from './html.ts';

const EXAMPLE = bilingual('Example', 'Exemple');
const REQUIRED = bilingual('required', 'obligatoire');
const OPTIONAL = bilingual('optional', 'facultatif');
const PROBLEMS_TITLE = bilingual('Problems', 'Erreurs');

const PARAMETER_HEAD = [
  bilingual('Parameter', 'Paramètre'),
  bilingual('Use', 'Emploi'),
  bilingual('Meaning', 'Sens'),
  EXAMPLE,
];

export function operationSection(operation: Operation, basePath: string): Html {
  const { id, path, summary, description, responses } = operation;
  return html`<h3 id="${id}">${summary}</h3>
<p class="path"><span class="method">${methodOf(operation)}</span> <code>${basePath}${path}</code></p>
<p>${prose(description)}</p>
${parameterTable(operation)}
${operation.roles.length > 0 ? codeBlock(commandFor(operation, basePath)) : ''}
${operation.method === undefined ? requestFormPlace(operation, basePath) : ''}
${Object.entries(responses).map(([status, response]) => responsePart(status, response))}
${problemLine(operation, basePath)}`;
}

const methodOf = ({ method }: Operation): string => method?.toUpperCase() ?? 'GET';

function parameterTable(operation: Operation): Html | '' {
  const { pathParameters = {}, parameters, requestHeaders } = operation;
  const rows = [
    ...Object.entries(pathParameters).map(([name, { meaning, example }]) =>
      row(name, 'path', prose(meaning), example),
    ),
    ...Object.entries(parameters).map(([name, line]) => parameterRow(name, line, operation)),
    ...requestHeaders.map((name) => {
      const { meaning, example }: HeaderDefinition = REQUEST_HEADERS[name];
      return row(name, 'header', prose(meaning), example);
    }),
  ];
  return rows.length === 0 ? '' : table(PARAMETER_HEAD, rows);
}

function parameterRow(name: string, line: Parameter<unknown>, { roles }: Operation) {
  const { required, meaning, example } = line;
  const words = wordsOf(schemaOfParameter(line, roles[0] ?? 'admin'));
  const choice =
    words.length > 0 ? `. Values: ${words.map((word) => `\`${word}\``).join(', ')}` : '';
  const use = required ? html`<span class="needed">${REQUIRED}</span>` : OPTIONAL;
  return row(name, use, prose(meaning + choice), example);
}

/** The allowed values of a parameter or, for a list, of its items. Empty if the schema does not enumerate them. */
function wordsOf({ enum: words, items }: Schema): readonly unknown[] {
  if (Array.isArray(words)) return words;
  return items instanceof Object ? wordsOf({ ...items }) : [];
}

const row = (
  name: string,
  use: Html | string,
  meaning: Html | string,
  example: string | number,
) => [html`<code>${name}</code>`, use, meaning, html`<code>${example}</code>`];

/** The element in which the script of the page puts a form that sends the request. */
function requestFormPlace(operation: Operation, basePath: string): Html {
  const { parameters, roles } = operation;
  const few = 'limit' in parameters ? { limit: '10' } : {};
  const parts = Object.entries({ ...EXAMPLE_QUERY, ...few }).filter(([name]) => name in parameters);
  const query = parts.length === 0 ? '' : `?${new URLSearchParams(parts)}`;
  const target = `${basePath}${examplePath(operation)}${query}`;
  return roles.length === 0
    ? html`<div class="request-form" data-target="${target}"></div>`
    : html`<div class="request-form" data-target="${target}" data-token=""></div>`;
}

/** The path with examples of its parameters. */
const examplePath = ({ path, pathParameters = {} }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name]?.example ?? '');

/** A curl command with the service's URL and the token in variables. */
function commandFor(operation: Operation, basePath: string): string {
  const { method, parameters } = operation;
  if (method !== undefined) return writingCommandFor(operation, basePath);
  const parts = Object.entries(EXAMPLE_QUERY).filter(([name]) => name in parameters);
  const query = parts.length === 0 ? '' : `?${new URLSearchParams(parts)}`;
  return `curl -H "Authorization: Bearer $TOKEN" \\\n  "$SERVICE${basePath}${examplePath(operation)}${query}"`;
}

/** A curl command for a request that changes something, with the examples of all parameters. */
function writingCommandFor(operation: Operation, basePath: string): string {
  const parts = Object.entries(operation.parameters).map(([name, { example }]) => [
    name,
    String(example),
  ]);
  const query = parts.length === 0 ? '' : `?${new URLSearchParams(parts)}`;
  return `curl -X ${methodOf(operation)} -H "Authorization: Bearer $TOKEN" \\\n  "$SERVICE${basePath}${examplePath(operation)}${query}"`;
}

const responsePart = (status: string, { meaning, content }: OperationResponse): Html =>
  html`<p><span class="status">${status}</span> ${prose(meaning)} <span class="soft">${Object.keys(content).join(', ')}</span></p>
${Object.values(content).map(({ example }) =>
  example === undefined
    ? ''
    : html`<details><summary>${EXAMPLE}</summary>
${jsonBlock(example)}
</details>`,
)}`;

/** The problems, with links to their pages. */
const problemLine = ({ problems }: Operation, basePath: string): Html =>
  html`<details><summary>${PROBLEMS_TITLE}</summary>
<ul>
${problemsOf(problems).map(
  (code) =>
    html`<li>${PROBLEMS[code].status} <a href="${basePath}${problemPath(code)}">${PROBLEMS[code].title}</a></li>\n`,
)}</ul>
</details>`;
