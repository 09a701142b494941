/** Serves the explorer, the web page at the root, from its built files. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SignInProvider } from '../../auth/oidc/sign-in-provider.ts';
import type { ProviderSignIn } from '../../contract/tokens/sign-in-options.ts';
import { unbuiltPage } from '../../pages/unbuilt-page.ts';
import { READ_METHODS } from '../guards/method-guard.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { pathOf, queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';
import { EXPLORER_CODINGS, type ExplorerFile, encoded, explorerFiles } from './explorer-files.ts';
import { HTML_PAGE_HEADERS } from './page-routes.ts';

/**
 * The Content Security Policy of the page. It allows only the page's own files, the API and the token endpoint
 * of the provider. No page may frame it.
 */
const policyWith = (provider: ProviderSignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...sourcesOf(provider)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The token endpoint as a source of the policy. A source has no query, and encodes commas and semicolons (Content
 * Security Policy 3, 2.3.1).
 */
function sourcesOf(provider: ProviderSignIn | undefined): readonly string[] {
  if (provider === undefined) return [];
  const { origin, pathname } = new URL(provider.token_endpoint);
  return [origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')];
}

const securityHeaders = (provider: ProviderSignIn | undefined) => ({
  'content-security-policy': policyWith(provider),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

/**
 * Browsers keep an asset, because its name contains a hash of its content. They revalidate the page, which names
 * the current assets.
 */
const cacheControlOf = ({ path }: ExplorerFile): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export interface ExplorerDeps {
  readonly basePath: string;
  /** The directory of the built explorer, if it is not the default one. */
  readonly explorer?: URL | undefined;
  readonly signInProvider?: SignInProvider | undefined;
}

export function explorerRoute(
  app: FastifyInstance,
  { basePath, explorer, signInProvider }: ExplorerDeps,
): void {
  const files = explorerFiles(explorer);
  const page = files.find(({ path }) => path === 'index.html');
  if (page === undefined) serveUnbuiltPage(app);
  else
    serve(
      app,
      '/',
      basePath,
      // Waits for the provider's token endpoint, which the Content Security Policy must allow. Otherwise the page
      // could not exchange the provider's code.
      async (accept, reply) =>
        await send(page, accept, reply, securityHeaders(await signInProvider?.waitUntilKnown())),
    );
  for (const file of files) {
    if (file === page) continue;
    serve(
      app,
      `/${file.path}`,
      basePath,
      async (accept, reply) =>
        await send(file, accept, reply, securityHeaders(signInProvider?.known)),
    );
  }
}

type Send = (acceptEncoding: string | undefined, reply: FastifyReply) => Promise<FastifyReply>;

function serve(app: FastifyInstance, url: string, basePath: string, sendFile: Send): void {
  app.route({
    method: READ_METHODS,
    url,
    handler: async (request, reply) => {
      // The page refers to its files by relative paths, which need the slash.
      if (url === '/' && basePath !== '' && !pathOf(request).endsWith('/')) {
        const query = queryStringOf(request);
        return reply.redirect(`${basePath}/${query === '' ? '' : `?${query}`}`, 308);
      }
      return await sendFile(request.headers['accept-encoding'], reply);
    },
  });
}

async function send(
  file: ExplorerFile,
  acceptEncoding: string | undefined,
  reply: FastifyReply,
  headers: ReturnType<typeof securityHeaders>,
): Promise<FastifyReply> {
  const coding = contentCoding(acceptEncoding, EXPLORER_CODINGS);
  appendHeader(reply, 'vary', 'Accept-Encoding');
  reply.headers({
    ...headers,
    'content-type': file.mediaType,
    'cache-control': cacheControlOf(file),
  });
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.send(await encoded(file, coding));
}

function serveUnbuiltPage(app: FastifyInstance): void {
  const body = Buffer.from(unbuiltPage());
  app.route({
    method: READ_METHODS,
    url: '/',
    handler: async (_, reply) =>
      reply.headers({ ...HTML_PAGE_HEADERS, 'cache-control': 'no-cache' }).send(body),
  });
}
