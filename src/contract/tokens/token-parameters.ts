/** Query parameters of a new access token. */

import type { ParameterFault } from '../problems/problems.ts';
import { arraySchema, IDENTIFIER_SCHEMA, wordSchema } from '../query/parameter-schemas.ts';
import { InvalidValue, readIdentifiers, readOneOf } from '../query/parameter-values.ts';
import type { Parameter, ValuesOf } from '../query/parameters.ts';
import { invalid, queryWithoutFaults, readParameters } from '../query/read-parameters.ts';
import { LOCALES } from '../record/labels.ts';
import { ROLES } from '../record/records.ts';
import { DEFAULT_LIFETIME, LIFETIME } from './lifetime.ts';
import { MAX_NAME_LENGTH } from './name-length.ts';

function readName(text: string): string {
  if (text.length <= MAX_NAME_LENGTH) return text;
  throw new InvalidValue(`Must have at most ${MAX_NAME_LENGTH} characters.`);
}

function readLifetime(text: string): string {
  if (LIFETIME.test(text)) return text;
  throw new InvalidValue(
    'Must be a number of days, hours, minutes or seconds such as 90d, 12h, 30m or 60s, or never.',
  );
}

// biome-ignore format: one parameter a line
export const TOKEN_PARAMETERS = {
  role: { required: true, meaning: 'The role of the new token', example: 'affiliate', schema: wordSchema(ROLES), read: readOneOf(ROLES) },
  publisher_id: { meaning: 'The websites of an affiliate, separated by commas. An affiliate needs at least one, and an admin has none', example: '345,346', schema: arraySchema(IDENTIFIER_SCHEMA), read: readIdentifiers },
  program_id: { meaning: 'Limits the new token to these programs, separated by commas. If the token of the request is limited to programs, this parameter is required and can name only those programs', example: '12', schema: arraySchema(IDENTIFIER_SCHEMA), read: readIdentifiers },
  locale: { meaning: 'The language of the status labels. Without it, the header Accept-Language of each request decides', example: 'fr', schema: wordSchema(LOCALES), read: readOneOf(LOCALES) },
  name: { meaning: 'Who or what uses the new token', example: 'Agency', schema: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH }, read: readName },
  expires: { meaning: `How long the new token is valid: a number of days, hours, minutes or seconds, or never. By default ${DEFAULT_LIFETIME}, or as long as the token that creates it if that expires earlier`, example: '30d', schema: { type: 'string', pattern: LIFETIME.source }, read: readLifetime },
} as const satisfies Record<string, Parameter<unknown>>;

/** The properties of a new token, by the parameters' names. */
export type NewTokenQuery = ValuesOf<typeof TOKEN_PARAMETERS>;

/** Parses the query string (without `?`) of a new token. Throws one Problem that names every fault. */
export function readNewTokenQuery(queryString: string): NewTokenQuery {
  const { values, faults } = readParameters(TOKEN_PARAMETERS, queryString, 'admin');
  return queryWithoutFaults(values, [...faults, ...wrongWebsites(values, faults)]);
}

/** The websites of an affiliate are required, and an admin has none. */
export function wrongWebsites(
  { role, publisher_id }: Pick<NewTokenQuery, 'role' | 'publisher_id'>,
  faults: readonly ParameterFault[],
): readonly ParameterFault[] {
  if (faults.some(({ parameter }) => parameter === 'publisher_id' || parameter === 'role'))
    return [];
  const [parameter, hasSome] = ['publisher_id', publisher_id !== undefined];
  if (role === 'admin' && hasSome) {
    return [invalid(parameter, 'An admin sees all publishers. Omit it, or set role=affiliate.')];
  }
  if (role === 'admin' || hasSome) return [];
  const detail = 'An affiliate needs at least one website, for example publisher_id=345.';
  return [{ parameter, code: 'missing', detail }];
}
