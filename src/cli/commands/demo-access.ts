/** The tokens and sign-in links of a demo, and the text that introduces it. */

import colors from 'picocolors';
import * as v from 'valibot';
import type { NewToken } from '../../auth/new-token.ts';
import { LINK_MINUTES } from '../../contract/tokens/lifetime.ts';
import { signInPath } from '../../contract/tokens/sign-in-address.ts';
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

/** The codes of the sign-in links in the welcome text. */
interface DemoCodes {
  readonly admin: string;
  readonly french: string;
  readonly english: string;
}

/** Creates tokens for an admin and for the two most active affiliates, one French and one English. */
export async function makeDemoTokens(operator: Operator) {
  const { admin, french, english } = demoHolders();
  return {
    admin_token: (await operator.createToken(admin)).token,
    affiliate_token: (await operator.createToken(french)).token,
    affiliate_en_token: (await operator.createToken(english)).token,
    affiliate_publisher_ids: french.publisherIds,
    affiliate_en_publisher_ids: english.publisherIds,
  };
}

/** Creates a sign-in link for each holder of a demo token. The websites of the affiliates come from `facts`. */
export async function makeDemoLinks(operator: Operator, facts: DemoFacts): Promise<DemoCodes> {
  const { admin, french, english } = demoHolders();
  const { affiliate_publisher_ids, affiliate_en_publisher_ids } = facts;
  const codeFor = async (newToken: NewToken) => (await operator.createLink(newToken)).code;
  return {
    admin: await codeFor(admin),
    french: await codeFor({ ...french, publisherIds: affiliate_publisher_ids }),
    english: await codeFor({ ...english, publisherIds: affiliate_en_publisher_ids }),
  };
}

function demoHolders() {
  const [first, second] = demoPlatform().affiliates;
  const admin = {
    role: 'admin',
    publisherIds: [],
    programIds: [],
    name: 'Demo admin',
    // So that the demo shows how access is handed out.
    mayManageTokens: true,
  } as const satisfies NewToken;
  const french = {
    role: 'affiliate',
    publisherIds: first?.publisherIds ?? [],
    programIds: [],
    locale: 'fr',
    name: first?.name,
  } as const satisfies NewToken;
  const english = {
    ...french,
    publisherIds: second?.publisherIds ?? [],
    locale: 'en',
    name: second?.name,
  } as const satisfies NewToken;
  return { admin, french, english };
}

/** Three commands to copy, and links to the explorer. */
export function demoWelcome(
  { url, last_day: day, ...access }: DemoAccess,
  codes: DemoCodes,
): string {
  const line = (what: string, path: string, token: string) =>
    `${colors.bold(what)}\ncurl -H 'Authorization: Bearer ${token}' '${url}${path}'`;
  const holders = [
    ['administrator', codes.admin, access.admin_token],
    ['affiliate, French', codes.french, access.affiliate_token],
    ['affiliate, English', codes.english, access.affiliate_en_token],
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
    `${colors.bold('Or see them in a browser:')} open one of these links. Each is valid once, for ${LINK_MINUTES} minutes.`,
    ...holders.map(([who, code]) => `  ${who.padEnd(20)} ${colors.cyan(url + signInPath(code))}`),
    `Later, sign in at ${colors.cyan(url)} with a token:`,
    ...holders.map(([who, , token]) => `  ${who.padEnd(20)} ${token}`),
    '',
    `Serving at ${colors.cyan(url)}. Stop with Ctrl-C.`,
  ].join('\n');
}
