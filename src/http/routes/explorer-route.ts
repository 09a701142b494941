/** Serves the explorer, the web page at the root, from its built files. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { unbuiltPage } from '../../pages/unbuilt-page.ts';
import { METHODS } from '../guards/method-guard.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { pathOf, queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';
import { EXPLORER_CODINGS, type ExplorerFile, encoded, explorerFiles } from './explorer-files.ts';
import { PAGE_HEADERS } from './page-routes.ts';

/** Allows the page's own files and the API, nothing else; no other page may frame it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** The name of an asset holds a hash of its content; the page names the current assets. */
const cacheControlOf = ({ path }: ExplorerFile): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export function explorerRoute(
  app: FastifyInstance,
  basePath: string,
  directory: URL | undefined,
): void {
  const files = explorerFiles(directory);
  const page = files.find(({ path }) => path === 'index.html');
  if (page === undefined) serveUnbuiltPage(app);
  else serve(app, '/', basePath, async (accept, reply) => await send(page, accept, reply));
  for (const file of files) {
    if (file === page) continue;
    serve(app, `/${file.path}`, basePath, async (accept, reply) => await send(file, accept, reply));
  }
}

type Send = (acceptEncoding: string | undefined, reply: FastifyReply) => Promise<FastifyReply>;

function serve(app: FastifyInstance, url: string, basePath: string, sendFile: Send): void {
  app.route({
    method: METHODS,
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
): Promise<FastifyReply> {
  const coding = contentCoding(acceptEncoding, EXPLORER_CODINGS);
  appendHeader(reply, 'vary', 'Accept-Encoding');
  reply.headers({
    ...SECURITY_HEADERS,
    'content-type': file.mediaType,
    'cache-control': cacheControlOf(file),
  });
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.send(await encoded(file, coding));
}

function serveUnbuiltPage(app: FastifyInstance): void {
  const body = Buffer.from(unbuiltPage());
  app.route({
    method: METHODS,
    url: '/',
    handler: async (_, reply) =>
      reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' }).send(body),
  });
}
