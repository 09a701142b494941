/** `RateLimit` and `RateLimit-Policy` as draft-ietf-httpapi-ratelimit-headers-11 has them. */

import { type Allowance, type Limits, WINDOW } from '../../limits/limits.ts';

/** What the headers call the limits. */
type PolicyName = keyof Limits;

/** Which limits there are, the same in every answer; undefined where there is none. */
export function rateLimitPolicy({ requests, downloads }: Limits): string | undefined {
  const policies = [
    ...(requests ? [`"requests";q=${requests.limit};w=${WINDOW}`] : []),
    ...(downloads ? [`"downloads";q=${downloads.limit};qu="concurrent-requests"`] : []),
  ];
  return policies.length === 0 ? undefined : policies.join(', ');
}

/** What is left of one of them. */
export function rateLimitItem(name: PolicyName, { remaining, resetSeconds }: Allowance): string {
  const reset = resetSeconds === undefined ? '' : `;t=${resetSeconds}`;
  return `"${name}";r=${remaining}${reset}`;
}
