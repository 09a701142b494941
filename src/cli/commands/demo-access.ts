/** The tokens of a demo, and the text that introduces it. */

import colors from 'picocolors';
import * as v from 'valibot';
import type { NewToken } from '../../auth/new-token.ts';
import type { Operator } from '../../control/operator.ts';
import { demoPlatform } from '../../demo/platform/demo-platform.ts';

const IDENTIFIERS = v.array(v.number());

/** The facts of a demo that are known before it is served. */
export const DEMO_FACTS = v.object({
  admin_token: v.string(),
  affiliate_token: v.string(),
  affiliate_en_token: v.string(),
  affiliate_publisher_ids: v.pipe(IDENTIFIERS, v.readonly()),
  affiliate_en_publisher_ids: v.pipe(IDENTIFIERS, v.readonly()),
  rows: v.number(),
  last_day: v.string(),
});

export type DemoFacts = Readonly<v.InferOutput<typeof DEMO_FACTS>>;

/** The content of `demo.json` in the database's directory, for scripts. */
interface DemoAccess extends DemoFacts {
  readonly url: string;
}

/** Creates tokens for an admin and for the two most active affiliates, one French and one English. */
export async function makeDemoTokens(operator: Operator) {
  const [first, second] = demoPlatform().affiliates;
  const admin = {
    role: 'admin',
    publisherIds: [],
    programIds: [],
    name: 'Demo admin',
  } as const satisfies NewToken;
  const french = {
    ...admin,
    role: 'affiliate',
    publisherIds: first?.publisherIds ?? [],
    locale: 'fr',
    name: first?.name,
  } as const satisfies NewToken;
  const english = {
    ...french,
    publisherIds: second?.publisherIds ?? [],
    locale: 'en',
    name: second?.name,
  } as const satisfies NewToken;
  return {
    admin_token: (await operator.createToken(admin)).token,
    affiliate_token: (await operator.createToken(french)).token,
    affiliate_en_token: (await operator.createToken(english)).token,
    affiliate_publisher_ids: french.publisherIds,
    affiliate_en_publisher_ids: english.publisherIds,
  };
}

/** Three commands to copy, and the address of the explorer. */
export function demoWelcome({ url, last_day: day, ...access }: DemoAccess): string {
  const line = (what: string, path: string, token: string) =>
    `${colors.bold(what)}\ncurl -H 'Authorization: Bearer ${token}' '${url}${path}'`;
  const tokens = [
    ['administrator', access.admin_token],
    ['affiliate, French', access.affiliate_token],
    ['affiliate, English', access.affiliate_en_token],
  ] as const;
  const month = `start_date=${day.slice(0, 8)}01&end_date=${day}`;
  return [
    '',
    line(
      'All sales of one day, as an admin:',
      `/api/admin/transactions?type=sales&start_date=${day}&end_date=${day}`,
      access.admin_token,
    ),
    line(
      "An affiliate's leads of the month, in French:",
      `/api/affiliate/transactions?type=leads&${month}`,
      access.affiliate_token,
    ),
    line(
      "Another affiliate's sales of the month, in English:",
      `/api/affiliate/transactions?type=sales&${month}`,
      access.affiliate_en_token,
    ),
    `${colors.bold('Or see them in a browser:')} open ${colors.cyan(url)} and sign in with a token.`,
    ...tokens.map(([who, token]) => `  ${who.padEnd(20)} ${token}`),
    '',
    `Serving at ${colors.cyan(url)}. Stop with Ctrl-C.`,
  ].join('\n');
}
