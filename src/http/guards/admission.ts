/** Enforces the limits of a principal: requests per minute and concurrent downloads. */

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import type { Limits } from '../../limits/limits.ts';
import { appendHeader } from '../replies/append-header.ts';
import { rateLimitItem, rateLimitPolicy } from '../replies/rate-limit-headers.ts';

/** Seconds after which one of the running downloads is likely to have ended. */
const RETRY_AFTER = '5';

/** Counts a request; throws the problem `too_many_requests` if it exceeds the limit. */
export async function admitRequest(
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
 * Takes a download slot until the response has closed; throws the problem `too_many_downloads` if
 * all slots are taken.
 */
export async function admitDownload(
  reply: FastifyReply,
  principalId: string,
  limits: Limits,
): Promise<void> {
  releaseAtClose(reply, await takeDownloadSlot(reply, principalId, limits));
}

/** Releases a download slot when the response has closed. */
export function releaseAtClose({ raw }: FastifyReply, release: () => void): void {
  raw.once('close', release);
  if (raw.destroyed) release();
}

/** Milliseconds that a request for a part of a file waits for a slot. Readers send many such requests at once. */
const PART_WAITS = 10_000;
/** Milliseconds between two attempts. */
const PART_INTERVAL = 100;

/** Like `admitDownload`, but waits some seconds for a slot. */
export async function admitPart(
  reply: FastifyReply,
  principalId: string,
  limits: Limits,
): Promise<void> {
  for (const end = performance.now() + PART_WAITS; performance.now() < end; ) {
    try {
      return await admitDownload(reply, principalId, limits);
    } catch (error) {
      if (!(error instanceof Problem) || reply.raw.destroyed) throw error;
      await delay(PART_INTERVAL);
    }
  }
  await admitDownload(reply, principalId, limits);
}

/**
 * Takes a download slot; returns the function that releases it. Throws the problem `too_many_downloads`
 * if all slots are taken.
 */
export async function takeDownloadSlot(
  reply: FastifyReply,
  principalId: string,
  { downloads }: Limits,
): Promise<() => void> {
  if (downloads === undefined) return () => undefined;
  const slot = await downloads.acquire(principalId);
  const allowance = { limit: downloads.limit, remaining: slot?.remaining ?? 0 };
  const told = String(reply.getHeader('ratelimit') ?? '');
  const isTold = told.includes('"downloads"');
  if (!isTold) appendHeader(reply, 'ratelimit', rateLimitItem('downloads', allowance));
  if (slot !== undefined) return slot.release;
  throw new Problem('too_many_downloads', { headers: { 'retry-after': RETRY_AFTER } });
}
