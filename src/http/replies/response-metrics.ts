/** Counts responses when they have ended, by the pattern of their route. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../metrics/metrics.ts';
import { isFromTool } from '../mcp/loopback-request.ts';
import { endedEarly, type ResponseListener, sentStatus } from './response-end.ts';

export function responseMetrics(metrics: Metrics): ResponseListener {
  return (request, reply) => {
    // A tool's request is not counted: the request of its MCP client is.
    if (isFromTool(request)) return;
    const route = request.routeOptions.url ?? 'none';
    metrics.count('transactions_http_requests_total', { route, status: String(sentStatus(reply)) });
    if (endedEarly(reply)) metrics.count('transactions_http_cut_total', { route });
    if (!reply.raw.headersSent) return;
    const firstByte = (request.firstByteMs ?? reply.elapsedTime) / 1000;
    metrics.observe('transactions_http_first_byte_seconds', { route }, firstByte);
    metrics.count('transactions_http_response_bytes_total', { route }, sentBytesOf(request, reply));
  };
}

/** The bytes of a body: streams count them, other bodies have a length. */
export function sentBytesOf({ method, bodyBytes }: FastifyRequest, reply: FastifyReply): number {
  if (method === 'HEAD' || !reply.raw.headersSent) return 0;
  return bodyBytes ?? Number(reply.getHeader('content-length') ?? 0);
}

/** Counts a download as open until its connection or its response has closed. */
export function countOpenDownload(reply: FastifyReply, metrics: Metrics): void {
  if (reply.raw.destroyed) return;
  metrics.add('transactions_downloads_open', {}, 1);
  reply.raw.once('close', () => metrics.add('transactions_downloads_open', {}, -1));
}
