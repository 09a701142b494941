/** The documentation page: the same tables as the OpenAPI document, for people. */

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

export const documentationPage = (basePath: string): string =>
  page({
    title: 'Transactions reporting',
    description: 'How to read the transactions of the platform.',
    navigation: navigation(),
    content: html`<h1>Transactions reporting</h1>
<p>The tracking transactions of the platform, to be read and never changed. Programs read the same in <a href="${basePath}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2 id="begin">Begin</h2>
<p>Send your access token with every request, in the header <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>. The operator of this server gives you one; it is for one role, and with it for one of the two endpoints.</p>
<ul>
<li>Ask with GET. HEAD has the same headers and no body; nothing can be written.</li>
<li>A period has no cap: the answer is sent until its last record. If the connection is cut before, the answer failed, and no part of it looks whole.</li>
<li>Dates and times are in the time zone of the platform, and both days of a period are included.</li>
<li>New parameters, fields and headers may come. Ignore what you do not know.</li>
</ul>
${Object.entries(OPERATION_TAGS).map(([tag, meaning]) => tagSection(tag, meaning, basePath))}
${ROLES.map(recordSection)}
<h2 id="headers">Headers of answers</h2>
${headerTable()}
<h2 id="problems">Problems</h2>
<p>Every refusal is <code>application/problem+json</code> (RFC 9457); its <code>type</code> is the address of a page that explains it.</p>
${problemTable(PROBLEM_CODES, basePath)}`,
  });

const tagSection = (tag: string, meaning: string, basePath: string): Html =>
  html`<h2 id="${tag}">${tag}</h2>
<p>${meaning}.</p>
${OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => operationSection(operation, basePath))}`;

const recordSection = (role: Role): Html =>
  html`<h2 id="${role}-record">The record of the role ${role}</h2>
<p>Every field is always there, in this order. A field that may be null is null where the transaction has no value and where the field has no meaning for the type.</p>
${table(
  ['Field', 'Value', 'Meaning'],
  RECORDS[role].map(({ name, field }) => [
    html`<code>${name}</code>`,
    valueText(field),
    meaningOf(field),
  ]),
)}
<details><summary>An example</summary>
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
<ul><li><a href="#begin">Begin</a></li></ul>
${Object.keys(OPERATION_TAGS).map(
  (tag) => html`<p>${tag}</p>
<ul>${OPERATIONS.filter((operation) => operation.tag === tag).map(
    ({ id, path }) => html`<li><a href="#${id}">${path}</a></li>\n`,
  )}</ul>`,
)}
<p>Reference</p>
<ul>
${ROLES.map((role) => html`<li><a href="#${role}-record">Record (${role})</a></li>\n`)}<li><a href="#headers">Headers</a></li>
<li><a href="#problems">Problems</a></li>
</ul>
</nav>`;
