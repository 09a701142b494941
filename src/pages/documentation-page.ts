/** The documentation page, from the same tables as the OpenAPI document. */

import { EXAMPLE_RECORDS } from '../contract/openapi/examples.ts';
import { type HeaderDefinition, RESPONSE_HEADERS } from '../contract/openapi/headers.ts';
import { OPERATION_TAGS } from '../contract/openapi/operation.ts';
import { OPERATIONS } from '../contract/openapi/operations.ts';
import { PROBLEM_CODES } from '../contract/problems/problem-body.ts';
import type { Field } from '../contract/record/fields.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../contract/record/records.ts';
import { bilingual } from './bilingual.ts';
import { type Html, html, jsonBlock, prose, table } from './html.ts';
import { GET_STARTED, introduction } from './introduction.ts';
import { operationSection } from './operation-section.ts';
import { htmlPage } from './page.ts';
import { problemTable } from './problem-pages.ts';

interface DocumentationPage {
  readonly basePath: string;
  readonly currency: string | undefined;
  /** The path of the script; undefined if it is not built. */
  readonly script: string | undefined;
}

export const documentationPage = ({ basePath, currency, script }: DocumentationPage): string =>
  htmlPage({
    script,
    title: 'Transactions reporting',
    description: 'How to read the transactions of the platform.',
    navigation: navigation(),
    content: html`<p class="soft"><a href="${basePath}/">${bilingual('To the page with your transactions', 'Vers la page de vos transactions')}</a></p>
<h1>Transactions reporting</h1>
${introduction(basePath, currency)}
${Object.entries(OPERATION_TAGS).map(([tag, meaning]) => tagSection(tag, meaning, basePath))}
${ROLES.map(recordSection)}
<h2 id="headers">${bilingual('Response headers', 'En-têtes des réponses')}</h2>
${headerTable()}
<h2 id="problems">${bilingual('Problems', 'Erreurs')}</h2>
<p>${bilingual(
      html`Every error is <code>application/problem+json</code> (RFC 9457). Its <code>type</code> is the URL of a page that explains it.`,
      html`Chaque erreur est en <code>application/problem+json</code> (RFC 9457). Son <code>type</code> est l’adresse d’une page qui l’explique.`,
    )}</p>
${problemTable(PROBLEM_CODES, basePath)}`,
  });

const tagSection = (tag: string, meaning: string, basePath: string): Html =>
  html`<h2 id="${tag}">${tag}</h2>
<p>${meaning}.</p>
${OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => operationSection(operation, basePath))}`;

const recordSection = (role: Role): Html =>
  html`<h2 id="${role}-record">${recordTitle(role)}</h2>
<p>${bilingual(
    prose(
      'Without the parameter `fields`, a record has all fields, in this order. A nullable field is null if the transaction has no value or its type does not have the field.',
    ),
    prose(
      'Sans le paramètre `fields`, un enregistrement a tous les champs, dans cet ordre. Un champ qui admet null vaut null si la transaction n’a pas de valeur ou si son type n’a pas ce champ.',
    ),
  )}</p>
${table(
  [bilingual('Field', 'Champ'), bilingual('Value', 'Valeur'), bilingual('Meaning', 'Sens')],
  RECORD_FIELDS[role].map(({ name, field }) => [
    html`<code>${name}</code>`,
    valueText(field),
    prose(meaningOf(field)),
  ]),
)}
<details><summary>${bilingual('Example', 'Exemple')}</summary>
${jsonBlock(EXAMPLE_RECORDS[role][0])}
</details>`;

const recordTitle = (role: Role): Html =>
  bilingual(`The record of the role ${role}`, `L’enregistrement du rôle ${role}`);

const valueText = ({ type, required }: Field): string =>
  type.replace('_', ' ') + (required ? '' : ' or null');

const meaningOf = ({ meaning, kinds }: Field): string =>
  kinds === undefined ? meaning : `${meaning} (${kinds.join(', ')})`;

const headerTable = (): Html =>
  table(
    [bilingual('Header', 'En-tête'), bilingual('Meaning', 'Sens'), bilingual('Example', 'Exemple')],
    Object.entries<HeaderDefinition>(RESPONSE_HEADERS).map(([name, { meaning, example }]) => [
      html`<code>${name}</code>`,
      prose(meaning),
      html`<code>${example}</code>`,
    ]),
  );

const navigation = (): Html =>
  html`<nav aria-label="On this page">
<ul><li><a href="#begin">${GET_STARTED}</a></li></ul>
${Object.keys(OPERATION_TAGS).map(
  (tag) => html`<p>${tag}</p>
<ul>${OPERATIONS.filter((operation) => operation.tag === tag).map(
    ({ id, path, method }) =>
      html`<li><a href="#${id}">${method === undefined ? '' : `${method.toUpperCase()} `}${path}</a></li>\n`,
  )}</ul>`,
)}
<p>${bilingual('Reference', 'Référence')}</p>
<ul>
${ROLES.map((role) => html`<li><a href="#${role}-record">${bilingual(`Record (${role})`, `Enregistrement (${role})`)}</a></li>\n`)}<li><a href="#headers">${bilingual('Headers', 'En-têtes')}</a></li>
<li><a href="#problems">${bilingual('Problems', 'Erreurs')}</a></li>
</ul>
</nav>`;
