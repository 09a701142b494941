/** The operations for tests of access, derived from the table, so that new ones are included. */

import type { Operation } from '../../../src/contract/openapi/operation.ts';
import { OPERATIONS } from '../../../src/contract/openapi/operations.ts';
import { CHANGES_PARAMETERS } from '../../../src/contract/query/changes-parameters.ts';
import { type Parameter, schemaOfParameter } from '../../../src/contract/query/parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';

/** Operations that read, and require a token. */
export const GUARDED: readonly Operation[] = OPERATIONS.filter(
  ({ roles, method }) => roles.length > 0 && method === undefined,
);

/** Operations that change something, and require a token. */
export const WRITING: readonly Operation[] = OPERATIONS.filter(
  ({ method, roles }) => roles.length > 0 && method !== undefined,
);

/** Operations that require neither a token nor the code of a sign-in link. */
export const PUBLIC: readonly Operation[] = OPERATIONS.filter(
  ({ roles, takesCode }) => roles.length === 0 && takesCode !== true,
);

/** The path with the examples of its parameters. */
export const pathOf = ({ path, pathParameters = {} }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name]?.example ?? '');

/** The target of a request with only the required parameters. */
export function targetOf(operation: Operation): string {
  const { parameters } = operation;
  const required = Object.entries(parameters).filter(([, parameter]) => parameter.required);
  const query = required.map(([name, { example }]) => `${name}=${example}`).join('&');
  return `${pathOf(operation)}?${query}`;
}

/** Valid values of a parameter: all words of its enum, else its example. For `wait`, only one second. */
export function validValues(parameter: Parameter<unknown>, role: Role): readonly string[] {
  const schema = schemaOfParameter(parameter, role);
  const { enum: words } = (schema.items ?? schema) as { readonly enum?: readonly string[] };
  return words ?? [parameter === CHANGES_PARAMETERS.wait ? '1' : parameter.example];
}

/** The query with the required parameters and those that `name` needs: `sort` needs `limit`, `offset` needs both. */
export function queryFor(operation: Operation, name: string, role: Role): URLSearchParams {
  const given = new URLSearchParams(targetOf(operation).split('?')[1]);
  const { sort } = operation.parameters;
  const [first] = sort === undefined ? [] : validValues(sort, role);
  if (name === 'sort' || name === 'offset') given.set('limit', '100');
  if (name === 'offset' && first !== undefined) given.set('sort', first);
  return given;
}

/**
 * The index of a guarded operation among those for affiliates, or among the others. It is the caller's
 * number for `everyNth`, so that each operation gets another sample.
 */
export const sampleNumberOf = (operation: Operation): number =>
  GUARDED.filter((one) => isForAffiliates(one) === isForAffiliates(operation)).indexOf(operation);

const isForAffiliates = ({ roles }: Operation): boolean => roles.includes('affiliate');

/** The number of kinds of transactions that a target selects. Without the parameter `type`, it selects all. */
export const kindCountOf = (target: string): number => {
  const given = new URLSearchParams(target.slice(target.indexOf('?'))).getAll('type');
  const kinds = new Set(given.flatMap((list) => list.split(',')));
  return given.length === 0 ? KINDS.length : Math.min(kinds.size, KINDS.length);
};
