/** `POST /mcp`: the MCP server (streamable HTTP, without sessions), for language models. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import type { ApiClient } from '../../mcp/api-client.ts';
import { MAX_MESSAGE } from '../../mcp/tool-bounds.ts';
import { type AuthenticationDeps, authenticateRequest } from '../guards/authenticate-request.ts';
import { MCP_HEADERS, refuseForeignPage } from '../guards/cross-origin.ts';
import { publicOriginOf } from '../public-origin.ts';
import { appendHeader } from '../replies/append-header.ts';
import { loopbackGet } from './loopback-request.ts';

interface McpDeps extends AuthenticationDeps {
  readonly basePath: string;
}

export function mcpRoute(app: FastifyInstance, deps: McpDeps): void {
  app.register(async (routes) => {
    // Fastify must not read the body: the handler reads it after authentication.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
    routes.route({
      method: 'POST',
      url: '/mcp',
      config: { readsBody: true },
      handler: async (request, reply) => {
        appendHeader(reply, 'vary', 'Authorization');
        refuseForeignPage(request, reply);
        const principal = await authenticateRequest(request, reply, deps);
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        // The client may have left while its token was looked up.
        if (reply.raw.destroyed) left.abort();
        const body = await readBody(request, reply).catch((error: unknown) => {
          if (!left.signal.aborted) throw error;
        });
        if (body === undefined) return reply.hijack();
        const message = requestOf(request, body, left.signal);
        // The SDK takes 300 ms and 35 MB to load, so it is loaded at the first request.
        const { answerMcp } = await import('../../mcp/mcp-server.ts');
        const client = clientOf(request, principal, deps.basePath, left.signal);
        const response = await answerMcp(message, client, (error) =>
          request.log.error({ err: error }, 'a tool failed'),
        );
        const content = Buffer.from(await response.arrayBuffer());
        return left.signal.aborted ? reply.hijack() : send(response, content, reply);
      },
    });
  });
}

const clientOf = (
  request: FastifyRequest,
  { role }: Principal,
  basePath: string,
  left: AbortSignal,
): ApiClient => ({
  role,
  // With the protocol versions of 2025, the SDK does not abort a tool whose client has left.
  get: async (target, signal) =>
    await loopbackGet(
      request.server.server,
      request,
      basePath + target,
      AbortSignal.any([signal, left]),
    ),
  urlOf: (target) => publicOriginOf(request) + basePath + target,
});

/** Milliseconds in which the body must arrive. */
const BODY_TIMEOUT = 30_000;

/** The body as text. A body that is too large is read only until it exceeds the limit: the MCP server refuses it. */
async function readBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<string> {
  // A client of HTTP/1.0 would take `100 Continue` for the response (RFC 9110, 10.1.1).
  const isAwaited = raw.headers.expect !== undefined && raw.httpVersion === '1.1';
  if (isAwaited) reply.raw.writeContinue();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Problem('request_timeout')), BODY_TIMEOUT);
  try {
    return await Promise.race([firstBytes(raw), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function firstBytes(raw: IncomingMessage): Promise<string> {
  const blocks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not close the connection, because the reply is sent on it.
  for await (const block of raw.iterator({ destroyOnReturn: false })) {
    blocks.push(block);
    size += block.length;
    if (size > MAX_MESSAGE) break;
  }
  return Buffer.concat(blocks).toString();
}

/** The request in the form that the SDK takes, with only the headers that the SDK reads. */
function requestOf({ headers }: FastifyRequest, body: string, signal: AbortSignal): Request {
  const read = ['accept', 'content-type', ...MCP_HEADERS];
  const named = Object.entries(headers).filter(([name]) => read.includes(name));
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: named.map(([name, value]) => [name, String(value)] satisfies [string, string]),
    body,
    signal,
  });
}

function send({ status, headers, ok }: Response, body: Buffer, reply: FastifyReply): FastifyReply {
  const type = headers.get('content-type');
  if (type !== null) reply.header('content-type', type);
  // The body of the request was read to its end, so the connection can be used again.
  if (ok) reply.removeHeader('connection');
  return reply.code(status).send(body);
}
