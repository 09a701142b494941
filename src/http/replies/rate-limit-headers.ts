/** Headers `RateLimit` and `RateLimit-Policy`, as defined by draft-ietf-httpapi-ratelimit-headers-11. */

import { type Allowance, type Limits, WINDOW_SECONDS } from '../../limits/limits.ts';

type PolicyName = keyof Limits;

/** Lists the limits; undefined if there are none. */
export function rateLimitPolicy({ requests, downloads }: Limits): string | undefined {
  const policies = [
    ...(requests ? [`"requests";q=${requests.limit};w=${WINDOW_SECONDS}`] : []),
    ...(downloads ? [`"downloads";q=${downloads.limit};qu="concurrent-requests"`] : []),
  ];
  return policies.length === 0 ? undefined : policies.join(', ');
}

/** What remains of one limit. */
export function rateLimitItem(name: PolicyName, { remaining, resetSeconds }: Allowance): string {
  const reset = resetSeconds === undefined ? '' : `;t=${resetSeconds}`;
  return `"${name}";r=${remaining}${reset}`;
}
