/** JSON Schemas of the tools' arguments and answers, from the tables behind the OpenAPI document. */

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../contract/json-object.ts';
import { SCHEMAS } from '../contract/openapi/openapi-schemas.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import { schemaOfParameter } from '../contract/query/parameters.ts';
import type { Role } from '../contract/record/records.ts';
import { DEFAULT_ROWS, MAX_ROWS } from './tool-bounds.ts';
import { parametersOf } from './tools.ts';

export type ToolSchema = StandardSchemaWithJSON<JsonObject, JsonObject>;

/** Describes an object to clients, but does not check its members. The API does that, with better messages. */
export const toolSchema = (schema: JsonObject): ToolSchema => ({
  '~standard': {
    version: 1,
    vendor: 'transactions-reporting',
    // The protocol allows only objects.
    validate: (value) => ({ value: isJsonObject(value) ? value : {} }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
});

/** The schema of an object with these properties. */
export const toolObjectSchema = (
  properties: JsonObject,
  required: readonly string[],
): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The arguments of a tool: the parameters of its operation in the path and in the query. */
export function inputOf(operation: Operation, role: Role): JsonObject {
  const { pathParameters = {} } = operation;
  const parameters = parametersOf(operation);
  const ofPath = Object.entries(pathParameters).map(([name, { meaning, schema }]) => [
    name,
    { ...schema, description: meaning },
  ]);
  const ofQuery = Object.entries(parameters).map(([name, parameter]) => [
    name,
    name === 'limit'
      ? LIMIT
      : { ...schemaOfParameter(parameter, role), description: parameter.meaning },
  ]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.required);
  return toolObjectSchema(Object.fromEntries([...ofPath, ...ofQuery]), [
    ...Object.keys(pathParameters),
    ...required,
  ]);
}

const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_ROWS,
  default: DEFAULT_ROWS,
  description: 'The maximum number of rows. An answer may have fewer, so that it stays short',
};

export const WHOLE_URL_SCHEMA = {
  type: 'string',
  description:
    'The URL of the complete answer; a path without a host is on the server of these tools. Send the access token in the header Authorization',
};

/** A page of rows. The tool `explain` describes their fields, because a schema would fill the model's context. */
export const ROWS_OUTPUT = toolObjectSchema(
  {
    rows: { type: 'array', items: { type: 'object' } },
    complete: { type: 'boolean', description: 'True if no more rows follow' },
    note: { type: 'string', description: 'What is missing, and how to get it' },
    next: { type: 'object', description: 'Add these arguments to get the next rows' },
    whole: WHOLE_URL_SCHEMA,
  },
  ['rows', 'complete', 'whole'],
);

/** The schema of a record without required fields, because the parameter `fields` may leave some out. */
export function toolRecordSchema(role: Role): JsonObject {
  const { required: _, ...schema } =
    SCHEMAS[role === 'admin' ? 'AdminTransaction' : 'AffiliateTransaction'];
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withSingleTypes(field),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Some model providers refuse a list of types, such as that of a nullable field. */
function withSingleTypes(schema: unknown): unknown {
  if (!isJsonObject(schema) || !Array.isArray(schema.type)) return schema;
  const { type: _, ...field } = schema;
  return { ...field, anyOf: schema.type.map((one: unknown) => ({ type: one })) };
}
