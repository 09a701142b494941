/** Every operation that there is, as it is attacked: made from its tables, so that a new one is too. */

import type { Operation } from '../../../src/contract/openapi/operation.ts';
import { OPERATIONS } from '../../../src/contract/openapi/operations.ts';
import { type Parameter, schemaOfParameter } from '../../../src/contract/query/parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';

/** Those that show what is somebody's. */
export const GUARDED: readonly Operation[] = OPERATIONS.filter(({ roles }) => roles.length > 0);

/** Those that everybody may ask. */
export const OPEN: readonly Operation[] = OPERATIONS.filter(({ roles }) => roles.length === 0);

/** The target of a request that asks for as little as the operation takes. */
export function targetOf({ path, pathParameters = {}, parameters }: Operation): string {
  const placed = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => pathParameters[name]?.values[0] ?? '',
  );
  const required = Object.entries(parameters).filter(([, parameter]) => parameter.required);
  const query = required.map(([name, { example }]) => `${name}=${example}`).join('&');
  return `${placed}?${query}`;
}

/** Good values of a parameter: each word of those that take words, else its example. */
export function rightValues(parameter: Parameter<unknown>, role: Role): readonly string[] {
  const schema = schemaOfParameter(parameter, role);
  const { enum: words } = (schema.items ?? schema) as { readonly enum?: readonly string[] };
  return words ?? [parameter.example];
}

/** How many kinds of transactions a target asks for. */
export const kindsAskedFor = (target: string): number => {
  const given = new URLSearchParams(target.slice(target.indexOf('?'))).get('type');
  return Math.min(given?.split(',').length ?? 1, KINDS.length);
};
