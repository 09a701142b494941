/** Waits until an entity tag of a cluster matches, which takes longer on a busy machine. */

import { expect, vi } from 'vitest';

/** Requests the same response with different headers. */
type Get = (headers: Readonly<Record<string, string>>) => Promise<Response>;

/** Milliseconds. */
const PATIENT = { timeout: 120_000, interval: 500 };

/**
 * Makes a request conditional, with a tag that never matches. For conditional requests, the service reads the
 * present version of the data, not one of the last second.
 */
const LATEST = { 'if-none-match': '"none"' };

/** Waits until a tag matches. If a server is too slow to report its version, no tag matches for some seconds. */
export async function expectNotModified(get: Get, tag: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
  }, PATIENT);
}

/**
 * Waits for a tag of the response that matches in several requests.
 *
 * Other tags do not last: the response came from a replica that did not have all rows yet, or a server was too slow
 * to report its version, so that a random one took its place.
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
