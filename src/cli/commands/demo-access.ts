/** Who may look at a demo, and what there is to try. */

import colors from 'picocolors';
import * as v from 'valibot';
import type { Operator, TokenOrder } from '../../control/operator.ts';
import { demoPlatform } from '../../demo/platform/demo-platform.ts';

const IDENTIFIERS = v.array(v.number());

/** What is known of a demo before it is served. */
export const FILLED_DEMO = v.object({
  admin_token: v.string(),
  affiliate_token: v.string(),
  affiliate_en_token: v.string(),
  affiliate_publisher_ids: v.pipe(IDENTIFIERS, v.readonly()),
  affiliate_en_publisher_ids: v.pipe(IDENTIFIERS, v.readonly()),
  rows: v.number(),
  last_day: v.string(),
});

export type FilledDemo = Readonly<v.InferOutput<typeof FILLED_DEMO>>;

/** What scripts need to know of a demo; `demo.json` in the database's directory. */
interface DemoAccess extends FilledDemo {
  readonly url: string;
}

/** Makes tokens for an admin and for the two most active affiliates, a French and an English one. */
export async function makeDemoTokens(operator: Operator) {
  const [first, second] = demoPlatform().affiliates;
  const admin = {
    role: 'admin',
    publisherIds: [],
    programIds: [],
    name: 'Demo admin',
  } as const satisfies TokenOrder;
  const french = {
    ...admin,
    role: 'affiliate',
    publisherIds: first?.publisherIds ?? [],
    locale: 'fr',
    name: first?.name,
  } as const satisfies TokenOrder;
  const english = {
    ...french,
    publisherIds: second?.publisherIds ?? [],
    locale: 'en',
    name: second?.name,
  } as const satisfies TokenOrder;
  return {
    admin_token: (await operator.createToken(admin)).token,
    affiliate_token: (await operator.createToken(french)).token,
    affiliate_en_token: (await operator.createToken(english)).token,
    affiliate_publisher_ids: french.publisherIds,
    affiliate_en_publisher_ids: english.publisherIds,
  };
}

/** Three commands that work as they stand, and the page. */
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
