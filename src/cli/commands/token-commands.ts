/** `transactions token create`, `list` and `revoke`. */

import colors from 'picocolors';
import type { NewToken } from '../../auth/new-token.ts';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import { readIdentifier } from '../../contract/record/identifier.ts';
import { LOCALES, localeOfTag } from '../../contract/record/labels.ts';
import { ROLES, type Role } from '../../contract/record/records.ts';
import { DEFAULT_LIFETIME, endOfLifetime } from '../../contract/tokens/lifetime.ts';
import { subjectJson } from '../../control/subject-json.ts';
import { tokenJson } from '../../control/token-json.ts';
import { UserError } from '../../user-error.ts';
import type { Flags } from '../inputs/settings.ts';
import { printableLine } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import { withOperator } from './with-operator.ts';

interface TokenFlags extends Flags {
  readonly role?: string;
  readonly publisher?: readonly string[];
  readonly program?: readonly string[];
  readonly locale?: string;
  readonly name?: string;
  readonly expires?: string;
  readonly mayManageTokens?: boolean;
  readonly json?: boolean;
}

const EXAMPLES: Readonly<Record<Role, string>> = {
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
  const role = readRole(flags.role);
  const publisherIds = readIdentifiers('--publisher', flags.publisher, role);
  if (role === 'affiliate' && publisherIds.length === 0) {
    throw new UserError('An affiliate needs at least one website: --publisher ID.', EXAMPLE);
  }
  if (role === 'admin' && publisherIds.length > 0) {
    throw new UserError(
      'An admin sees all publishers: --publisher is for affiliates.',
      `${EXAMPLES.admin} --program 12`,
    );
  }
  if (role === 'affiliate' && flags.mayManageTokens) {
    throw new UserError(
      'Only an admin may manage tokens.',
      `${EXAMPLES.admin} --may-manage-tokens`,
    );
  }
  return {
    role,
    publisherIds,
    programIds: readIdentifiers('--program', flags.program, role),
    locale: readLocale(flags.locale, role),
    name: flags.name,
    expiresAt: readExpiry(flags.expires ?? DEFAULT_LIFETIME, role),
    mayManageTokens: flags.mayManageTokens,
  };
}

function readRole(text: string | undefined): Role {
  const role = ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new UserError(
    `--role must be one of ${ROLES.join(', ')}.${suggestionFor(text ?? '', ROLES)}`,
    EXAMPLE,
  );
}

/** The flag may be repeated, and may list several identifiers. */
function readIdentifiers(
  flag: string,
  texts: readonly string[] | undefined,
  role: Role,
): readonly number[] {
  const identifiers = (texts ?? []).flatMap((text) => text.split(','));
  return identifiers.map((text) => {
    const identifier = readIdentifier(text);
    if (identifier !== undefined) return identifier;
    throw new UserError(
      `${flag} must be an identifier, digits without leading zeros: ${text}`,
      `${EXAMPLES[role]} ${flag} 12`,
    );
  });
}

function readLocale(text: string | undefined, role: Role) {
  if (text === undefined) return undefined;
  const locale = localeOfTag(text);
  if (locale !== undefined) return locale;
  throw new UserError(
    `--locale must be one of ${LOCALES.join(', ')}.`,
    `${EXAMPLES[role]} --locale fr`,
  );
}

function readExpiry(text: string, role: Role): Date | undefined {
  const end = endOfLifetime(text, new Date());
  if (end !== undefined) return end === 'never' ? undefined : end;
  throw new UserError(
    '--expires must be a number of days, hours, minutes or seconds such as 90d, 12h, 30m, 60s, ending before the year 2106, or never.',
    `${EXAMPLES[role]} --expires 90d`,
  );
}
