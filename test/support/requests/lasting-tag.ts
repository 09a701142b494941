/** Reads entity tags of a cluster, and waits until one is still valid, however busy the machine is. */

import { expect, vi } from 'vitest';

/** Requests the same response with different headers. */
type Get = (headers: Readonly<Record<string, string>>) => Promise<Response>;

/** Milliseconds. */
const PATIENT = { timeout: 120_000, interval: 500 };

/** Never matches. For a conditional request, the service reads the present version, not one of the last second. */
const LATEST = { 'if-none-match': '"none"' };

/** Waits until a tag matches. If a server is too slow to report its version, no tag matches for some seconds. */
export async function expectNotModified(get: Get, tag: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
  }, PATIENT);
}

/**
 * The tag of a response that matches in several requests.
 *
 * On a cluster, a response may come from a replica that does not have all rows yet. And if a server is too slow to
 * report its version, a random version takes its place.
 */
export async function lastingTag(get: Get): Promise<string> {
  return await vi.waitFor(async () => {
    const tag = (await get(LATEST)).headers.get('etag') ?? '';
    const again = await Promise.all(
      Array.from({ length: 8 }, async () => await get({ 'if-none-match': tag })),
    );
    expect(again.filter(({ status }) => status !== 304)).toEqual([]);
    return tag;
  }, PATIENT);
}
