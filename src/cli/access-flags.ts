/** Reads the flags that say what a token or a webhook may read, and its name. */

import { suggestionFor } from '../contract/query/suggestion.ts';
import { IDENTIFIER_TEXT, readIdentifier } from '../contract/record/identifier.ts';
import { LOCALES, type Locale, localeOfTag } from '../contract/record/labels.ts';
import { ROLES, type Role } from '../contract/record/records.ts';
import { MAX_NAME_LENGTH } from '../contract/tokens/name-length.ts';
import { UserError } from '../user-error.ts';

export interface AccessFlags {
  readonly role?: string;
  readonly publisher?: readonly string[];
  readonly program?: readonly string[];
  readonly locale?: string;
  readonly name?: string;
}

export interface Access {
  readonly role: Role;
  readonly publisherIds: readonly number[];
  readonly programIds: readonly number[];
  readonly locale: Locale | undefined;
  readonly name: string | undefined;
}

/** A correct command for each role, which error messages show. */
export type RoleExamples = Readonly<Record<Role, string>>;

export function readAccess(flags: AccessFlags, examples: RoleExamples): Access {
  const role = readRole(flags.role, examples);
  const example = examples[role];
  const publisherIds = readIdentifiers('--publisher', flags.publisher, example);
  if (role === 'affiliate' && publisherIds.length === 0) {
    throw new UserError('An affiliate needs at least one website: --publisher ID.', example);
  }
  if (role === 'admin' && publisherIds.length > 0) {
    throw new UserError(
      'An admin sees all publishers: --publisher is for affiliates.',
      `${example} --program 12`,
    );
  }
  const programIds = readIdentifiers('--program', flags.program, example);
  const locale = readLocale(flags.locale, example);
  return { role, publisherIds, programIds, locale, name: readName(flags.name, example) };
}

function readName(text: string | undefined, example: string): string | undefined {
  if (text === undefined || text.length <= MAX_NAME_LENGTH) return text;
  throw new UserError(
    `--name must have at most ${MAX_NAME_LENGTH} characters.`,
    `${example} --name Agency`,
  );
}

function readRole(text: string | undefined, examples: RoleExamples): Role {
  const role = ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new UserError(
    `--role must be one of ${ROLES.join(', ')}.${suggestionFor(text ?? '', ROLES)}`,
    examples.affiliate,
  );
}

/** The flag may be repeated, and may list several identifiers. */
function readIdentifiers(
  flag: string,
  texts: readonly string[] | undefined,
  example: string,
): readonly number[] {
  const identifiers = (texts ?? []).flatMap((text) => text.split(','));
  return identifiers.map((text) => {
    const identifier = readIdentifier(text);
    if (identifier !== undefined) return identifier;
    throw new UserError(
      `${flag} ${text} is not an identifier: ${IDENTIFIER_TEXT}.`,
      `${example} ${flag} 12`,
    );
  });
}

function readLocale(text: string | undefined, example: string): Locale | undefined {
  if (text === undefined) return undefined;
  const locale = localeOfTag(text);
  if (locale !== undefined) return locale;
  throw new UserError(`--locale must be one of ${LOCALES.join(', ')}.`, `${example} --locale fr`);
}
