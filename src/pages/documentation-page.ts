/** The documentation page, from the same tables as the OpenAPI document. */

import { amountsIn } from '../contract/amounts.ts';
import { EXAMPLE_RECORDS } from '../contract/openapi/examples.ts';
import { type HeaderLine, RESPONSE_HEADERS } from '../contract/openapi/headers.ts';
import { OPERATION_TAGS } from '../contract/openapi/operation.ts';
import { OPERATIONS } from '../contract/openapi/operations.ts';
import { PROBLEM_CODES } from '../contract/problems/problem-body.ts';
import type { Field } from '../contract/record/fields.ts';
import { RECORDS, ROLES, type Role } from '../contract/record/records.ts';
import { type Html, html, jsonBlock, prose, table } from './html.ts';
import { operationSection } from './operation-section.ts';
import { page } from './page.ts';
import { problemTable } from './problem-pages.ts';

interface DocumentationPage {
  readonly basePath: string;
  readonly currency: string | undefined;
  /** The path of the script; undefined if it is not built. */
  readonly script: string | undefined;
}

export const documentationPage = ({ basePath, currency, script }: DocumentationPage): string =>
  page({
    script,
    title: 'Transactions reporting',
    description: 'How to read the transactions of the platform.',
    navigation: navigation(),
    content: html`<p class="soft"><a href="${basePath}/">To the page with your transactions</a></p>
<h1>Transactions reporting</h1>
<p>An API for the tracking transactions of the platform. The <a href="${basePath}/openapi.json">OpenAPI 3.1 document</a> has the same content for programs.</p>
<h2 id="begin">Get started</h2>
<p>Send your access token with every request, in the header <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>. You get one from the operator of this server. Its role determines which of the two endpoints it can call.</p>
<ul>
<li>Use GET, or HEAD for the headers alone. Only access tokens and webhooks can be changed.</li>
<li>A period can have any length. If the connection closes before the last record, the response is invalid, and parsers notice it.</li>
<li>Dates and times are in the platform’s time zone. A period includes its first and its last day.</li>
<li>${prose(amountsIn(currency))}</li>
<li>New parameters, fields and headers can be added. Ignore those that you do not know.</li>
</ul>
${Object.entries(OPERATION_TAGS).map(([tag, meaning]) => tagSection(tag, meaning, basePath))}
${ROLES.map(recordSection)}
<h2 id="headers">Response headers</h2>
${headerTable()}
<h2 id="problems">Problems</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Its <code>type</code> is the URL of a page that explains it.</p>
${problemTable(PROBLEM_CODES, basePath)}`,
  });

const tagSection = (tag: string, meaning: string, basePath: string): Html =>
  html`<h2 id="${tag}">${tag}</h2>
<p>${meaning}.</p>
${OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => operationSection(operation, basePath))}`;

const recordSection = (role: Role): Html =>
  html`<h2 id="${role}-record">The record of the role ${role}</h2>
<p>A record always has all fields, in this order. A nullable field is null if the transaction has no value or the kind does not have the field.</p>
${table(
  ['Field', 'Value', 'Meaning'],
  RECORDS[role].map(({ name, field }) => [
    html`<code>${name}</code>`,
    valueText(field),
    meaningOf(field),
  ]),
)}
<details><summary>Example</summary>
${jsonBlock(EXAMPLE_RECORDS[role][0])}
</details>`;

const valueText = ({ type, required }: Field): string =>
  type.replace('_', ' ') + (required ? '' : ' or null');

const meaningOf = ({ meaning, kinds }: Field): string =>
  kinds === undefined ? meaning : `${meaning} (${kinds.join(', ')})`;

const headerTable = (): Html =>
  table(
    ['Header', 'Meaning', 'Example'],
    Object.entries<HeaderLine>(RESPONSE_HEADERS).map(([name, { meaning, example }]) => [
      html`<code>${name}</code>`,
      prose(meaning),
      html`<code>${example}</code>`,
    ]),
  );

const navigation = (): Html =>
  html`<nav aria-label="On this page">
<ul><li><a href="#begin">Get started</a></li></ul>
${Object.keys(OPERATION_TAGS).map(
  (tag) => html`<p>${tag}</p>
<ul>${OPERATIONS.filter((operation) => operation.tag === tag).map(
    ({ id, path, method }) =>
      html`<li><a href="#${id}">${method === undefined ? '' : `${method.toUpperCase()} `}${path}</a></li>\n`,
  )}</ul>`,
)}
<p>Reference</p>
<ul>
${ROLES.map((role) => html`<li><a href="#${role}-record">Record (${role})</a></li>\n`)}<li><a href="#headers">Headers</a></li>
<li><a href="#problems">Problems</a></li>
</ul>
</nav>`;
