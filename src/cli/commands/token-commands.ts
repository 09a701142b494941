/** `transactions token create` (a token or a sign-in link), `list` and `revoke`. */

import colors from 'picocolors';
import type { NewToken } from '../../auth/new-token.ts';
import type { TokenRecord } from '../../auth/token-record.ts';
import type { Role } from '../../contract/record/records.ts';
import { DEFAULT_LIFETIME, endOfLifetime } from '../../contract/tokens/lifetime.ts';
import { signInPath } from '../../contract/tokens/sign-in-address.ts';
import { subjectJson } from '../../control/subject-json.ts';
import { type TokenJson, tokenJson } from '../../control/token-json.ts';
import { UserError } from '../../user-error.ts';
import { type AccessFlags, type RoleExamples, readAccess } from '../access-flags.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { pageAddress } from '../output/page-address.ts';
import { printSecret } from '../output/print-all.ts';
import { printableLine } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import { createdByToken, createdByTokenText } from './created-by-token.ts';
import { withOperator } from './with-operator.ts';

interface TokenFlags extends Flags, AccessFlags {
  readonly expires?: string;
  readonly mayManageTokens?: boolean;
  readonly link?: boolean;
  readonly json?: boolean;
}

const EXAMPLES: RoleExamples = {
  admin: 'transactions token create --role admin',
  affiliate: 'transactions token create --role affiliate --publisher 345',
};
const EXAMPLE = `${EXAMPLES.affiliate} --locale fr`;

export async function createTokenCommand(flags: TokenFlags): Promise<void> {
  const newToken = readNewToken(flags);
  if (flags.link) return await createLink(newToken, flags);
  await withOperator(flags, async (operator) => {
    const { token, record } = await operator.createToken(newToken);
    const { id, rights } = shownRights(record);
    await printSecret(flags.json ? JSON.stringify({ id, token, ...rights }) : token, {
      name: `Token ${id}`,
      next: `Nobody has it, so revoke it: transactions token revoke ${id}`,
    });
    if (flags.json) return;
    console.error(
      `${colors.green(`Token ${id} for ${holderOf(record)}`)}, valid until ${rights.expires_at ?? 'it is revoked'}.\nThis is the only time it is shown. Revoke it with: transactions token revoke ${id}`,
    );
  });
}

async function createLink(newToken: NewToken, flags: TokenFlags): Promise<void> {
  const settings = readSettings(flags, process.env);
  await withOperator(flags, async (operator) => {
    const { code, record } = await operator.createLink(newToken);
    const { id, rights } = shownRights(record);
    const url = `${pageAddress(settings)}${signInPath(code)}`;
    const end = record.linkExpiresAt?.toISOString() ?? '';
    const json = { id, url, link_expires_at: end, ...rights };
    await printSecret(flags.json ? JSON.stringify(json) : url, {
      name: `Link ${id}`,
      next: `Nobody has it, so revoke it: transactions token revoke ${id}`,
    });
    if (flags.json) return;
    console.error(
      `${colors.green(`Link ${id} for ${holderOf(record)}`)}, valid once and until ${end}. The token that it gives is valid until ${rights.expires_at ?? 'it is revoked'}.\nThis is the only time it is shown. Revoke both with: transactions token revoke ${id}`,
    );
    if (settings.publicUrl === undefined)
      console.error('Set PUBLIC_URL if others reach the service at another address.');
  });
}

function shownRights(record: TokenRecord) {
  const { id, role, publisher_ids, program_ids, locale, expires_at, may_manage_tokens } =
    tokenJson(record);
  return {
    id,
    rights: { role, publisher_ids, program_ids, locale, expires_at, may_manage_tokens },
  };
}

const holderOf = ({ role }: TokenRecord): string =>
  role === 'admin' ? 'an admin' : 'an affiliate';

export async function listTokensCommand(flags: TokenFlags): Promise<void> {
  await withOperator(flags, async (operator) => {
    const tokens = (await operator.listTokens()).map(tokenJson);
    if (flags.json) {
      console.log(JSON.stringify(tokens));
      return;
    }
    const rows = tokens.map((token) => ({
      id: token.id,
      role: token.may_manage_tokens ? `${token.role}, manages tokens` : token.role,
      publishers: token.publisher_ids.join(',') || 'all',
      programs: token.program_ids.join(',') || 'all',
      locale: token.locale ?? '',
      name: printableLine(token.name ?? ''),
      creator: printableLine(token.created_by ?? ''),
      expires: token.expires_at?.slice(0, 10) ?? 'never',
      state: stateOf(token, new Date().toISOString()),
    }));
    console.log(
      rows.length === 0 ? `There is no token yet. Create one: ${EXAMPLE}` : textTable(rows),
    );
    const blocked = (await operator.listBlockedSubjects()).map(subjectJson);
    const lines = blocked.map(({ subject, blocked_at }) => ({
      'blocked subject': printableLine(subject),
      since: blocked_at.slice(0, 10),
    }));
    if (lines.length > 0) console.log(`\n${textTable(lines)}`);
  });
}

export async function revokeTokenCommand(id: string, flags: TokenFlags): Promise<void> {
  await withOperator(flags, async (operator) => {
    if (!(await operator.revokeToken(id))) {
      throw new UserError(`There is no token ${id}.`, 'List the tokens: transactions token list');
    }
    // The token is revoked already, even if its webhooks and tokens cannot be listed.
    const created = await createdByToken(id, operator).catch((error: Error) => {
      console.error(
        `${printableLine(error.message)}\nSee what the token has created: transactions webhook list, and transactions token list`,
      );
    });
    if (flags.json) {
      const { stoppedWebhooks = null, validTokens = null } = created ?? {};
      const lists = { stopped_webhooks: stoppedWebhooks, valid_tokens: validTokens };
      console.log(JSON.stringify({ id, revoked: true, ...lists }));
      return;
    }
    console.log(`Token ${id} is revoked; every server refuses it within 5 seconds.`);
    if (created) for (const line of createdByTokenText(created)) console.log(line);
  });
}

function stateOf(
  token: Pick<TokenJson, 'revoked_at' | 'expires_at' | 'link_expires_at'>,
  now: string,
): string {
  if (token.link_expires_at !== null) return `link until ${token.link_expires_at}`;
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'valid';
}

function readNewToken(flags: TokenFlags): NewToken {
  const access = readAccess(flags, EXAMPLES);
  const { mayManageTokens } = flags;
  if (access.role === 'affiliate' && mayManageTokens) {
    throw new UserError(
      'Only an admin may manage tokens.',
      `${EXAMPLES.admin} --may-manage-tokens`,
    );
  }
  const expiresAt = readExpiry(flags.expires ?? DEFAULT_LIFETIME, access.role);
  return { ...access, expiresAt, mayManageTokens };
}

function readExpiry(text: string, role: Role): Date | undefined {
  const end = endOfLifetime(text, new Date());
  if (end !== undefined) return end === 'never' ? undefined : end;
  throw new UserError(
    '--expires must be a number of days, hours, minutes or seconds such as 90d, 12h, 30m or 60s, or the word never. The expiry must be before the year 2106.',
    `${EXAMPLES[role]} --expires 90d`,
  );
}
