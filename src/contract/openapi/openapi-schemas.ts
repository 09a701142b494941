/** The component schemas of the OpenAPI document. */

import { schemaOfPerformance } from '../groups/performance-record.ts';
import { objectSchema } from '../object-schema.ts';
import { PARAMETER_FAULT_SCHEMA, PROBLEM_SCHEMA } from '../problems/problem-body.ts';
import { choosableFields, type ListedDirectory, schemaOfEntry } from '../record/directory.ts';
import { KINDS } from '../record/kinds.ts';
import { ME_SCHEMA } from '../record/me-schema.ts';
import { ROLES, type Role } from '../record/records.ts';
import {
  DATE_TIME_PATTERN,
  IDENTIFIER_SCHEMA,
  propertiesOf,
  schemaOfRecord,
} from '../record/schemas.ts';
import { schemaOfSummary } from '../record/summary.ts';
import {
  MANAGED_TOKEN_SCHEMA,
  NEW_MANAGED_TOKEN_SCHEMA,
  REVOKED_TOKEN_SCHEMA,
} from '../tokens/managed-token.ts';
import { NEW_SIGN_IN_LINK_SCHEMA, SIGN_IN_SCHEMA } from '../tokens/sign-in-link.ts';
import { SIGN_IN_OPTIONS_SCHEMA } from '../tokens/sign-in-options.ts';
import {
  MANAGED_WEBHOOK_SCHEMA,
  REMOVED_WEBHOOK_SCHEMA,
  WEBHOOK_TEST_SCHEMA,
  WEBHOOK_WITH_SECRET_SCHEMA,
} from '../webhooks/managed-webhook.ts';

type Schema = Readonly<Record<string, unknown>>;

const RECORD_NAME = { admin: 'AdminTransaction', affiliate: 'AffiliateTransaction' } as const;

const CHANGE_NAME = { admin: 'AdminChange', affiliate: 'AffiliateChange' } as const;

const GROUP_NAME = { admin: 'AdminGroup', affiliate: 'AffiliateGroup' } as const;

const PERFORMANCE_NAME = { admin: 'AdminPerformance', affiliate: 'AffiliatePerformance' } as const;
const ENTRY_NAME = { programs: 'Program', publishers: 'Publisher' } as const;

export const refTo = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });

const stateOf = (status: string, description: string): Schema =>
  objectSchema(description, { status: { type: 'string', const: status, description } });

function schemaOfChange(role: Role): Schema {
  const type = { type: 'string', enum: KINDS };
  const oneOf = (change: string, description: string, properties: Schema): Schema => ({
    type: 'object',
    description,
    properties: { change: { type: 'string', const: change }, type, ...properties },
    required: ['change', 'type', ...Object.keys(properties)],
    additionalProperties: false,
  });
  return {
    description: 'A change of the transactions that the token may read.',
    anyOf: [
      oneOf('put', 'The transaction was added or changed. Store this record.', {
        transaction: refTo(RECORD_NAME[role]),
      }),
      oneOf('gone', 'The token no longer sees the transaction. Delete it.', {
        transaction_id: IDENTIFIER_SCHEMA,
      }),
      oneOf('expired', 'Delete all transactions of this type created before created_before.', {
        created_before: { type: 'string', pattern: DATE_TIME_PATTERN },
      }),
    ],
  };
}

const recordSchemas = (role: Role) => ({
  [RECORD_NAME[role]]: {
    ...schemaOfRecord(role),
    properties: propertiesOf(choosableFields(role)),
    description: `A transaction as the role ${role} reads it. It has all fields, unless the parameter fields selects some.`,
  },
  [CHANGE_NAME[role]]: schemaOfChange(role),
  [GROUP_NAME[role]]: {
    ...schemaOfSummary(role),
    description: `Count and sums of a group of transactions for the role ${role}. The parameter group_by selects the fields that identify the group.`,
  },
  [PERFORMANCE_NAME[role]]: {
    ...schemaOfPerformance(role),
    description: `Measures and ratios of a group of transactions for the role ${role}. The parameter group_by selects the fields that identify the group.`,
  },
});

export type SchemaName =
  | (typeof RECORD_NAME)[Role]
  | (typeof GROUP_NAME)[Role]
  | (typeof PERFORMANCE_NAME)[Role]
  | (typeof CHANGE_NAME)[Role]
  | (typeof ENTRY_NAME)[ListedDirectory]
  | 'Problem'
  | 'ParameterFault'
  | 'Me'
  | 'ManagedToken'
  | 'NewManagedToken'
  | 'RevokedToken'
  | 'ManagedWebhook'
  | 'WebhookWithSecret'
  | 'WebhookTest'
  | 'RemovedWebhook'
  | 'NewSignInLink'
  | 'SignIn'
  | 'SignInOptions'
  | 'Live'
  | 'Ready';

/** Drops `additionalProperties: false`, because clients must accept the fields of later versions. */
const openSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(openSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([name]) => name !== 'additionalProperties');
  return Object.fromEntries(members.map(([name, member]) => [name, openSchema(member)]));
};

export const SCHEMAS = openSchema({
  ...Object.assign({}, ...ROLES.map(recordSchemas)),
  Program: { ...schemaOfEntry('programs'), description: 'A program and its name.' },
  Publisher: {
    ...schemaOfEntry('publishers'),
    description: 'A publisher, or website, and its name.',
  },
  Me: ME_SCHEMA,
  ManagedToken: MANAGED_TOKEN_SCHEMA,
  NewManagedToken: NEW_MANAGED_TOKEN_SCHEMA,
  RevokedToken: REVOKED_TOKEN_SCHEMA,
  ManagedWebhook: MANAGED_WEBHOOK_SCHEMA,
  WebhookWithSecret: WEBHOOK_WITH_SECRET_SCHEMA,
  WebhookTest: WEBHOOK_TEST_SCHEMA,
  RemovedWebhook: REMOVED_WEBHOOK_SCHEMA,
  NewSignInLink: NEW_SIGN_IN_LINK_SCHEMA,
  SignIn: SIGN_IN_SCHEMA,
  SignInOptions: SIGN_IN_OPTIONS_SCHEMA,
  Live: stateOf('live', 'The process responds.'),
  Ready: stateOf('ready', 'The process and its database respond.'),
  Problem: PROBLEM_SCHEMA,
  ParameterFault: PARAMETER_FAULT_SCHEMA,
}) as Readonly<Record<SchemaName, Schema>>;

/** Schema of a summary. */
export const groupsOf = (role: Role): Schema => ({
  type: 'array',
  description: 'All groups, in order.',
  items: refTo(GROUP_NAME[role]),
});

/** Schema of performance. */
export const performanceOf = (role: Role): Schema => ({
  type: 'array',
  description: 'The records, in order.',
  items: refTo(PERFORMANCE_NAME[role]),
});

/** Schema of a page of the change feed. */
export const changesOf = (role: Role): Schema => ({
  type: 'array',
  description: 'Changes in the order of imports. Empty at the present end of the feed.',
  items: refTo(CHANGE_NAME[role]),
});

/** Schema of one record. */
export const recordOf = (role: Role): Schema => refTo(RECORD_NAME[role]);

/** Schema of a list of programs or publishers. */
export const entriesOf = (of: ListedDirectory): Schema => ({
  type: 'array',
  description: 'All selected entries, in order.',
  items: refTo(ENTRY_NAME[of]),
});

/** Schema of a list. */
export const recordsSchema = (role: Role): Schema => ({
  type: 'array',
  description: 'All selected transactions, in order.',
  items: recordOf(role),
});
