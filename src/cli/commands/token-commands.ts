/** `transactions token create`, `list` and `revoke`. */

import colors from 'picocolors';
import type { NewToken } from '../../auth/new-token.ts';
import type { Role } from '../../contract/record/records.ts';
import { DEFAULT_LIFETIME, endOfLifetime } from '../../contract/tokens/lifetime.ts';
import { subjectJson } from '../../control/subject-json.ts';
import { tokenJson } from '../../control/token-json.ts';
import { UserError } from '../../user-error.ts';
import { type AccessFlags, type RoleExamples, readAccess } from '../access-flags.ts';
import type { Flags } from '../inputs/settings.ts';
import { printableLine } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import { withOperator } from './with-operator.ts';

interface TokenFlags extends Flags, AccessFlags {
  readonly name?: string;
  readonly expires?: string;
  readonly mayManageTokens?: boolean;
  readonly json?: boolean;
}

const EXAMPLES: RoleExamples = {
  admin: 'transactions token create --role admin',
  affiliate: 'transactions token create --role affiliate --publisher 345',
};
const EXAMPLE = `${EXAMPLES.affiliate} --locale fr`;

export async function createTokenCommand(flags: TokenFlags): Promise<void> {
  const newToken = readNewToken(flags);
  await withOperator(flags, async (operator) => {
    const { token, record } = await operator.createToken(newToken);
    const { id, role, publisher_ids, program_ids, locale, expires_at, may_manage_tokens } =
      tokenJson(record);
    if (flags.json) {
      const rights = { role, publisher_ids, program_ids, locale, expires_at, may_manage_tokens };
      console.log(JSON.stringify({ id, token, ...rights }));
      return;
    }
    console.log(token);
    console.error(
      `${colors.green(`Token ${id} for ${role === 'admin' ? 'an admin' : 'an affiliate'}`)}, valid until ${expires_at ?? 'it is revoked'}.\nThis is the only time it is shown. Revoke it with: transactions token revoke ${id}`,
    );
  });
}

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
    console.log(
      flags.json
        ? JSON.stringify({ id, revoked: true })
        : `Token ${id} is revoked; every server refuses it within 5 seconds.`,
    );
  });
}

function stateOf(
  token: { revoked_at: string | null; expires_at: string | null },
  now: string,
): string {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'valid';
}

function readNewToken(flags: TokenFlags): NewToken {
  const access = readAccess(flags, EXAMPLES);
  const { name, mayManageTokens } = flags;
  if (access.role === 'affiliate' && mayManageTokens) {
    throw new UserError(
      'Only an admin may manage tokens.',
      `${EXAMPLES.admin} --may-manage-tokens`,
    );
  }
  const expiresAt = readExpiry(flags.expires ?? DEFAULT_LIFETIME, access.role);
  return { ...access, name, expiresAt, mayManageTokens };
}

function readExpiry(text: string, role: Role): Date | undefined {
  const end = endOfLifetime(text, new Date());
  if (end !== undefined) return end === 'never' ? undefined : end;
  throw new UserError(
    '--expires must be a number of days, hours, minutes or seconds such as 90d, 12h, 30m, 60s, ending before the year 2106, or never.',
    `${EXAMPLES[role]} --expires 90d`,
  );
}
