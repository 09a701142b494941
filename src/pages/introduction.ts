/** First section of the documentation page: what the API is, and how to send a request. */

import { currencyNote } from '../contract/amounts.ts';
import { bilingual } from './bilingual.ts';
import { type Html, html, prose } from './html.ts';

/** The title of the section. */
export const GET_STARTED = bilingual('Get started', 'Premiers pas');

const RULES: readonly (readonly [english: string, french: string])[] = [
  [
    'Use GET, or HEAD for the headers alone. Only access tokens and webhooks can be changed.',
    'Utilisez GET, ou HEAD pour les en-têtes seuls. Seuls les jetons d’accès et les webhooks peuvent être modifiés.',
  ],
  [
    'A period can have any length. If the connection closes before the last record, the HTTP client reports an error: do not use what has arrived. JSON that was cut is invalid, but CSV or NDJSON that was cut can look complete.',
    'La durée d’une période n’est pas limitée. Si la connexion est coupée avant le dernier enregistrement, le client HTTP signale une erreur\u00A0: n’utilisez pas les données reçues. Un JSON tronqué est invalide, mais un CSV ou un NDJSON tronqué peut sembler complet.',
  ],
  [
    'Dates and times are in the platform’s time zone. A period includes its first and its last day.',
    'Les dates et les heures sont dans le fuseau horaire de la plateforme. Une période comprend son premier et son dernier jour.',
  ],
  [
    'New parameters, fields and headers can be added. Ignore those that you do not know.',
    'De nouveaux paramètres, champs et en-têtes peuvent être ajoutés. Ignorez ceux que vous ne connaissez pas.',
  ],
];

const frenchAmountsIn = (currency: string | undefined): string =>
  currency === undefined
    ? 'Les montants sont dans la devise de la plateforme. `/api/me` la donne si l’exploitant l’a indiquée.'
    : `Les montants sont en ${currency} (ISO 4217).`;

export const introduction = (basePath: string, currency: string | undefined): Html =>
  html`<p>${bilingual(
    html`An API for the tracking transactions of the platform. The <a href="${basePath}/openapi.json">OpenAPI 3.1 document</a> has the same content in machine-readable form.`,
    html`Une API pour les transactions de tracking de la plateforme. Le <a href="${basePath}/openapi.json">document OpenAPI 3.1</a> a le même contenu sous une forme lisible par un programme. Les titres et les descriptions des opérations viennent de ce document et sont en anglais.`,
  )}</p>
<h2 id="begin">${GET_STARTED}</h2>
<p>${bilingual(
    html`Send your access token with every request, in the header <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>. You get one from the operator of this server. The role of the token determines which endpoints it can call.`,
    html`Envoyez votre jeton d’accès avec chaque requête, dans l’en-tête <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>. L’exploitant de ce serveur vous en donne un. Le rôle du jeton détermine les adresses qu’il peut appeler.`,
  )}</p>
<ul>
${RULES.map((rule) => html`<li>${bilingual(...rule)}</li>\n`)}<li>${bilingual(prose(currencyNote(currency)), prose(frenchAmountsIn(currency)))}</li>
</ul>`;
