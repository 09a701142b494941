/** The explorer: the page at the root of the service, from the files that its build has left. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { unbuiltPage } from '../../pages/unbuilt-page.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { pathOf, queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';
import { EXPLORER_CODINGS, type ExplorerFile, explorerFiles, inCoding } from './explorer-files.ts';
import { PAGE_HEADERS } from './page-routes.ts';

/** Where the build puts it, seen from the sources as from what is compiled. */
const BUILT = new URL('../../../dist/explorer/', import.meta.url);

const METHODS = ['GET', 'HEAD'];

/** Nothing but the page's own files and the API beside it; nothing frames it, nothing is sent elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFE = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Names of assets hold a hash of what is in them; the page itself says which ones count now. */
const cachingOf = ({ path }: ExplorerFile): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export function explorerRoute(
  app: FastifyInstance,
  basePath: string,
  directory: URL | undefined,
): void {
  const files = explorerFiles(directory ?? BUILT);
  const page = files.find(({ path }) => path === 'index.html');
  if (page === undefined) serveNothingBuilt(app);
  else serve(app, '/', basePath, async (accept, reply) => await send(page, accept, reply));
  for (const file of files) {
    if (file === page) continue;
    serve(app, `/${file.path}`, basePath, async (accept, reply) => await send(file, accept, reply));
  }
}

type Send = (acceptEncoding: string | undefined, reply: FastifyReply) => Promise<FastifyReply>;

function serve(app: FastifyInstance, url: string, basePath: string, answer: Send): void {
  app.route({
    method: METHODS,
    url,
    handler: async (request, reply) => {
      // The page's files are found relative to it, which needs the slash.
      if (url === '/' && basePath !== '' && !pathOf(request).endsWith('/')) {
        const query = queryStringOf(request);
        return reply.redirect(`${basePath}/${query === '' ? '' : `?${query}`}`, 308);
      }
      return await answer(request.headers['accept-encoding'], reply);
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
  reply.headers({ ...SAFE, 'content-type': file.mediaType, 'cache-control': cachingOf(file) });
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.send(await inCoding(file, coding));
}

function serveNothingBuilt(app: FastifyInstance): void {
  const body = Buffer.from(unbuiltPage());
  app.route({
    method: METHODS,
    url: '/',
    handler: async (_, reply) =>
      reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' }).send(body),
  });
}
