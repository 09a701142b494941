/** Filters as query parameters: `country` selects by its values, and `exclude_country` excludes them. */

import { FIELD_NAMED, type Field } from '../../record/fields.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../../record/records.ts';
import type { Schema } from '../parameter-schemas.ts';
import { FILTER_TABLE } from './filter-table.ts';

type Lines = typeof FILTER_TABLE;

/** A field that can be filtered by. */
export type FilteredField = keyof Lines;

interface FilterParameter<Name extends FilteredField> {
  readonly filters: Name;
  readonly meaning: string;
  readonly example: string;
  readonly schema: Schema;
  readonly repeats: boolean;
  readonly roles: readonly Role[];
  readonly read: Lines[Name]['read'];
}

type Selections = { readonly [Name in FilteredField]: FilterParameter<Name> };

type Exclusions = {
  readonly [Name in FilteredField as `exclude_${Name}`]: FilterParameter<Name>;
};

const FIELDS = Object.keys(FILTER_TABLE) as readonly FilteredField[];

/** The name of the parameter that excludes the values of a filter. */
export const exclusionOf = <Name extends FilteredField>(name: Name): `exclude_${Name}` =>
  `exclude_${name}`;

const SEPARATED = 'separated by commas';
const REPEATED = 'repeat the parameter for several values: a comma is part of the value';

function parameterOf(name: FilteredField, begin: string, end: string) {
  const { selects, example, schema, read, ...line } = FILTER_TABLE[name];
  const repeats = 'repeats' in line;
  const meaning = `${begin} ${selects}, ${repeats ? REPEATED : SEPARATED}${end}`;
  return { filters: name, meaning, example, schema, repeats, roles: rolesReading(name), read };
}

/** A role cannot filter by a field that it cannot read. */
const rolesReading = (name: FilteredField): readonly Role[] =>
  ROLES.filter((role) => RECORD_FIELDS[role].some(({ field }) => field.name === name));

function endOfExclusion(name: FilteredField): string {
  const { required }: Field = FIELD_NAMED[name];
  return required ? '' : `. Transactions without ${name} are kept`;
}

const selections = Object.fromEntries(
  FIELDS.map((name) => [name, parameterOf(name, 'Only', '')]),
) as unknown as Selections;

const exclusions = Object.fromEntries(
  FIELDS.map((name) => [exclusionOf(name), parameterOf(name, 'All except', endOfExclusion(name))]),
) as unknown as Exclusions;

export const FILTER_PARAMETERS: Selections & Exclusions = { ...selections, ...exclusions };

/** The selections that the plan checks against what the token may read. */
type ScopeName = 'program_id' | 'publisher_id';

const SCOPES: ReadonlySet<string> = new Set<ScopeName>(['program_id', 'publisher_id']);

/** The names of all other filters, which only narrow what the token may read. */
export type FilterName = Exclude<keyof typeof FILTER_PARAMETERS, ScopeName>;

export const FILTERS = (Object.keys(FILTER_PARAMETERS) as readonly string[]).filter(
  (name): name is FilterName => !SCOPES.has(name),
);

/** The field that a filter compares with its values. */
export const filteredField = (name: FilterName): FilteredField => FILTER_PARAMETERS[name].filters;

/** Whether a filter keeps the transactions that have none of its values. */
export const isExclusion = (name: FilterName): boolean => name === exclusionOf(filteredField(name));
