/** Reads the principal from the claims of a verified JSON Web Token. */

import type { JWTPayload } from 'jose';
import { assertNever } from '../../contract/assert-never.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { isIdentifier, readIdentifier } from '../../contract/record/identifier.ts';
import { type Locale, localeOfTag } from '../../contract/record/labels.ts';
import { ROLES, type Role } from '../../contract/record/records.ts';
import type { Principal, Scope } from '../principal.ts';

/** Claim names; a dot leads to a nested claim, unless a claim has the whole name. */
export interface ClaimNames {
  readonly roleClaim: string;
  readonly publishersClaim: string;
  readonly programsClaim: string;
}

/** Used where the settings give no other name. */
export const DEFAULT_CLAIM_NAMES: ClaimNames = {
  roleClaim: 'role',
  publishersClaim: 'publisher_ids',
  programsClaim: 'program_ids',
};

/** The reason is logged, so it must not contain parts of the token. */
export const invalidToken = (reason: string): Problem =>
  new Problem('token_invalid', { cause: new Error(reason) });

function readClaim(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    // Not treated as an absent claim, because a token without the claim of programs may read all programs.
    if (!isJsonObject(value))
      throw invalidToken(`The token has no claim "${name}": a part before a dot is not an object.`);
    if (!Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function readRole(claim: unknown, name: string): Role {
  const roles: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const [role, another] = ROLES.filter((audience) => roles.includes(audience));
  if (role !== undefined && another === undefined) return role;
  throw invalidToken(`The claim "${name}" must be one of ${ROLES.join(', ')}.`);
}

function identifierIn(value: unknown, name: string): number {
  const identifier = typeof value === 'string' ? readIdentifier(value) : value;
  if (isIdentifier(identifier)) return identifier;
  throw invalidToken(`The claim "${name}" must contain identifiers from 0 to 2^53-1.`);
}

const readIdentifiers = (claim: unknown, name: string): readonly number[] => {
  const values = Array.isArray(claim) ? claim : [claim];
  return [...new Set(values.map((value) => identifierIn(value, name)))];
};

function readPublishers(claim: unknown, name: string, role: Role): Scope {
  switch (role) {
    case 'admin':
      // The claim would not restrict what the admin sees, although its author expects it to.
      if (claim !== undefined) throw invalidToken(`An admin must not have the claim "${name}".`);
      return 'all';
    case 'affiliate': {
      const publisherIds = claim === undefined ? [] : readIdentifiers(claim, name);
      if (publisherIds.length > 0) return publisherIds;
      throw invalidToken(`An affiliate must have websites in the claim "${name}".`);
    }
    default:
      return assertNever(role);
  }
}

function readSubject(claim: unknown): string {
  if (typeof claim === 'string' && claim !== '') return claim;
  throw invalidToken('The claim "sub" must be a text.');
}

function readExpiry(claim: unknown): Date {
  const expiry = new Date(typeof claim === 'number' ? claim * 1000 : Number.NaN);
  if (!Number.isNaN(expiry.getTime())) return expiry;
  throw invalidToken('The claim "exp" must be a date.');
}

const readLocale = (claim: unknown): Locale | undefined =>
  typeof claim === 'string' ? localeOfTag(claim) : undefined;

/** Throws `token_invalid` if a required claim is missing or wrong. Without the claim of programs, all are allowed. */
export function readPrincipal(claims: JWTPayload, names: ClaimNames): Principal {
  const role = readRole(readClaim(claims, names.roleClaim), names.roleClaim);
  const publishers = readClaim(claims, names.publishersClaim);
  const programs = readClaim(claims, names.programsClaim);
  const locale = readLocale(claims.locale);
  return {
    id: readSubject(claims.sub),
    role,
    publisherIds: readPublishers(publishers, names.publishersClaim, role),
    programIds: programs === undefined ? 'all' : readIdentifiers(programs, names.programsClaim),
    expiresAt: readExpiry(claims.exp),
    ...(locale === undefined ? {} : { locale }),
  };
}
