/** The schemas that the OpenAPI document names. */

import { PARAMETER_FAULT_SCHEMA, PROBLEM_SCHEMA } from '../problems/problem-body.ts';
import { FIELDS } from '../record/fields.ts';
import { ME_SCHEMA } from '../record/me-schema.ts';
import { ROLES, type Role } from '../record/records.ts';
import { schemaOfRecord } from '../record/schemas.ts';
import { schemaOfSummary } from '../record/summary.ts';

type Schema = Readonly<Record<string, unknown>>;

const RECORD_NAME = { admin: 'AdminTransaction', affiliate: 'AffiliateTransaction' } as const;

const GROUP_NAME = { admin: 'AdminGroup', affiliate: 'AffiliateGroup' } as const;

export const refTo = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });

const stateOf = (status: string, description: string): Schema => ({
  type: 'object',
  description,
  properties: { status: { type: 'string', const: status, description } },
  required: ['status'],
  additionalProperties: false,
});

/** A record with the fields that were asked for. */
function chosenFields(role: Role): Schema {
  const { required: _, ...schema } = schemaOfRecord(role);
  return {
    ...schema,
    description: `A transaction with the chosen fields of ${RECORD_NAME[role]}, where the parameter fields names some.`,
    minProperties: 1,
    maxProperties: FIELDS.length,
  };
}

const recordSchemas = (role: Role) => ({
  [RECORD_NAME[role]]: {
    ...schemaOfRecord(role),
    description: `A transaction as a token of the role ${role} reads it: every field is always there.`,
  },
  [`${RECORD_NAME[role]}Choice`]: chosenFields(role),
  [GROUP_NAME[role]]: {
    ...schemaOfSummary(role),
    description: `What transactions add up to as a token of the role ${role} reads it: the fields that name the group are those of group_by.`,
  },
});

export type SchemaName =
  | `${(typeof RECORD_NAME)[Role]}${'' | 'Choice'}`
  | (typeof GROUP_NAME)[Role]
  | 'Problem'
  | 'ParameterFault'
  | 'Me'
  | 'Live'
  | 'Ready';

export const SCHEMAS = {
  ...Object.assign({}, ...ROLES.map(recordSchemas)),
  Me: ME_SCHEMA,
  Live: stateOf('live', 'The process lives.'),
  Ready: stateOf('ready', 'The process lives and its database answers.'),
  Problem: PROBLEM_SCHEMA,
  ParameterFault: PARAMETER_FAULT_SCHEMA,
} as Readonly<Record<SchemaName, Schema>>;

/** Schema of a whole summary. */
export const groupsOf = (role: Role): Schema => ({
  type: 'array',
  description: 'All groups of the transactions that the question is about, in their order.',
  items: refTo(GROUP_NAME[role]),
});

/** Schema of a whole list; its records have all fields unless the question names some. */
export const listOf = (role: Role): Schema => ({
  type: 'array',
  description: 'All transactions that the question is about, in their order.',
  items: {
    anyOf: [refTo(RECORD_NAME[role]), refTo(`${RECORD_NAME[role]}Choice`)],
  },
});
