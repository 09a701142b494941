/** Adds the currency of amounts to the documentation: as a sentence, and in the descriptions of fields. */

import { isJsonObject } from './json-object.ts';
import { RECORD_FIELDS, ROLES } from './record/records.ts';

type Schema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Schema>>;

export const currencyNote = (currency: string | undefined): string =>
  currency === undefined
    ? "Amounts are in the platform's currency. `/api/me` names it if the operator has set it."
    : `Amounts are in ${currency} (ISO 4217).`;

const AMOUNTS = new Set(
  ROLES.flatMap((role) =>
    RECORD_FIELDS[role].filter(({ field }) => field.type === 'decimal').map(({ name }) => name),
  ),
);

/** The schemas with the currency in the descriptions of amounts. */
export const withCurrency = (schemas: Schemas, currency: string): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeAmounts(schema, currency)]),
  );

function describeAmounts(schema: Schema, currency: string): Schema {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const described = Object.entries(properties).map(([name, property]) =>
    AMOUNTS.has(name) && isJsonObject(property)
      ? [name, { ...property, description: `${property.description}, in ${currency}` }]
      : [name, property],
  );
  return { ...schema, properties: Object.fromEntries(described) };
}
