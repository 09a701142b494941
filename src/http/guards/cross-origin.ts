/** Lets pages of the operator's choice call the API from a browser (Fetch standard, CORS protocol). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { EXPOSED_HEADERS, SENT_BY_PAGES } from '../../contract/openapi/headers.ts';
import { addHeader } from '../replies/append-header.ts';
import { ALLOWED } from './method-guard.ts';

const EXPOSED = EXPOSED_HEADERS.join(', ');

/** Tokens come in a header of the page's own, so no credentials of the browser are let through. */
const PREFLIGHT = {
  'access-control-allow-methods': ALLOWED,
  'access-control-allow-headers': SENT_BY_PAGES.join(', '),
  // Two hours, which is as long as browsers keep it.
  'access-control-max-age': '7200',
};

/** Marks an answer as one that the page that asks for it may read. */
export type ShareWithPage = (request: FastifyRequest, reply: FastifyReply) => void;

export function sharingWith(origins: readonly string[]): ShareWithPage {
  const allowed = new Set(origins);
  return ({ headers: { origin } }, reply) => {
    if (allowed.size === 0) return;
    addHeader(reply, 'vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', EXPOSED);
  };
}

/** Whether a browser asks if a page may send a request; only where the page's origin may. */
export const isPreflight = ({ method, headers }: FastifyRequest, reply: FastifyReply): boolean =>
  method === 'OPTIONS' &&
  headers['access-control-request-method'] !== undefined &&
  reply.hasHeader('access-control-allow-origin');

/** The same for every path, so that a page can read why there is nothing at one. */
export const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply.code(204).headers(PREFLIGHT).send();
