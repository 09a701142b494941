/** Serves the documentation, the problem pages and the OpenAPI document, which are rendered once. */

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../contract/openapi/openapi.ts';
import { PROBLEM_CODES, problemPath } from '../../contract/problems/problem-body.ts';
import { documentationPage } from '../../pages/documentation-page.ts';
import { problemListPage, problemPage } from '../../pages/problem-pages.ts';
import { STYLE } from '../../pages/style.ts';
import { READ_METHODS } from '../guards/method-guard.ts';
import { publicOriginOf } from '../public-origin.ts';
import { appendHeader } from '../replies/append-header.ts';
import { documentationScript } from './explorer-files.ts';

/** Five minutes, so that the pages of a new version soon replace those of the old one. */
const CACHE_CONTROL = 'public, max-age=300';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

const policyWith = (...directives: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const HTML_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': CACHE_CONTROL,
  'content-language': 'en',
  'content-security-policy': policyWith(),
  'referrer-policy': 'no-referrer',
};

/** Allows the script of this service, which may call this service only and cannot insert HTML. */
const SCRIPTED_PAGE_HEADERS = {
  ...HTML_PAGE_HEADERS,
  'content-security-policy': policyWith(
    "script-src 'self'",
    "connect-src 'self'",
    "trusted-types 'none'",
    "require-trusted-types-for 'script'",
  ),
};

/** Placeholder for the URL of this server, which may depend on the request. */
const SERVER = 'https://server.invalid';

interface PageDeps {
  readonly basePath: string;
  readonly currency: string | undefined;
  /** The directory of the built explorer, if it is not the default one. */
  readonly explorer?: URL | undefined;
}

export function pageRoutes(app: FastifyInstance, { basePath, currency, explorer }: PageDeps): void {
  const built = documentationScript(explorer);
  const script = built && `${basePath}/${built}`;
  const headers = script === undefined ? HTML_PAGE_HEADERS : SCRIPTED_PAGE_HEADERS;
  servePage(app, '/docs', documentationPage({ basePath, currency, script }), headers);
  servePage(app, '/problems', problemListPage(basePath));
  // One route per code, so that other methods get 405 for an existing page only.
  for (const code of PROBLEM_CODES) servePage(app, problemPath(code), problemPage(code, basePath));
  const document = JSON.stringify(openApiDocument(basePath, currency, SERVER));
  app.route({
    method: READ_METHODS,
    url: '/openapi.json',
    handler: async (request, reply) => {
      const serverUrl = publicOriginOf(request) + basePath;
      appendHeader(reply, 'vary', 'Host, X-Forwarded-Host, X-Forwarded-Proto');
      return reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': CACHE_CONTROL,
        })
        .send(Buffer.from(`${document.replace(SERVER, serverUrl || '/')}\n`));
    },
  });
}

function servePage(
  app: FastifyInstance,
  url: string,
  text: string,
  headers = HTML_PAGE_HEADERS,
): void {
  const body = Buffer.from(text);
  app.route({
    method: READ_METHODS,
    url,
    handler: async (_, reply) => reply.headers(headers).send(body),
  });
}
