/** Holds a principal to their limits: each request is counted, each running download has a place. */

import type { FastifyReply } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import type { Limits } from '../../limits/limits.ts';
import { appendHeader } from '../replies/append-header.ts';
import { rateLimitItem, rateLimitPolicy } from '../replies/rate-limit-headers.ts';

/** Seconds after which a running download may well have ended. */
const NEXT_DOWNLOAD = '5';

/** Counts a request of someone who is known; throws the problem `too_many_requests`. */
export async function admit(
  reply: FastifyReply,
  principalId: string,
  limits: Limits,
): Promise<void> {
  const policy = rateLimitPolicy(limits);
  if (policy !== undefined) reply.header('ratelimit-policy', policy);
  if (limits.requests === undefined) return;
  const counted = await limits.requests.count(principalId);
  reply.header('ratelimit', rateLimitItem('requests', counted));
  if (counted.isWithin) return;
  const headers = { 'retry-after': String(counted.resetSeconds) };
  throw new Problem('too_many_requests', { headers });
}

/**
 * Takes a place for a download until the answer has ended, however it ends; throws the problem
 * `too_many_downloads`.
 */
export async function beginDownload(
  reply: FastifyReply,
  principalId: string,
  { downloads }: Limits,
): Promise<void> {
  if (downloads === undefined) return;
  const place = await downloads.begin(principalId);
  const left = { limit: downloads.limit, remaining: place?.remaining ?? 0 };
  appendHeader(reply, 'ratelimit', rateLimitItem('downloads', left));
  if (place === undefined) {
    throw new Problem('too_many_downloads', { headers: { 'retry-after': NEXT_DOWNLOAD } });
  }
  reply.raw.once('close', place.free);
  if (reply.raw.destroyed) place.free();
}
