/** Checks every response of a test service against the OpenAPI document: status, type, headers and body. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RESPONSE_HEADERS } from '../../../src/contract/openapi/headers.ts';
import { type OperationObject, openApiDocument } from '../../../src/contract/openapi/openapi.ts';
import type { problemHeaders } from '../../../src/contract/openapi/openapi-operation.ts';
import { PROBLEM_MEDIA_TYPE } from '../../../src/contract/problems/problem-body.ts';
import { isCalendarDate } from '../../../src/contract/query/calendar.ts';

type Json = Readonly<Record<string, unknown>>;

interface ResponseObject {
  readonly headers: Readonly<Record<ReturnType<typeof problemHeaders>[number], unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Json; readonly examples?: Json }>>;
}

/** A response as a client reads it. */
export interface ReceivedResponse {
  readonly method: string;
  /** The target of the request, with its query. */
  readonly target: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** As text, if it was read to its end. */
  readonly body?: string;
}

/** Headers that any response may have: those of the connection, the content type and the allowed methods. */
const BESIDE = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
const ALWAYS_ALLOWED = [...BESIDE, 'content-type', 'allow'];

const OF_CORS = /^access-control-/;

/** Characters. If a list is longer, only its first records are checked. */
const LONG = 1_000_000;
/** The number of records that are checked of a long list. */
const FIRST = 100;

/** Makes a schema refuse further members. The document lets clients accept them, but the service must send none. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, strict(member)]);
  const isOfObject = 'properties' in schema && 'type' in schema;
  return { ...Object.fromEntries(members), ...(isOfObject ? { additionalProperties: false } : {}) };
};

const document = openApiDocument('');
const { schemas } = document.components as { schemas: Record<string, Json> };
/** The values of a path's parameter, as a regular expression. */
function valuesOf(name: string, { parameters }: OperationObject): string {
  const { schema } = parameters.find((each) => each.in === 'path' && each.name === name) ?? {};
  const { enum: words } = (schema ?? {}) as { enum?: readonly string[] };
  return words === undefined ? '[^/]+' : `(?:${words.join('|')})`;
}

const responsesOf = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(
      `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name) => valuesOf(name, operation))}$`,
    ),
    responses: operation.responses as unknown as Readonly<Record<number, ResponseObject>>,
  })),
);
const headerObjects = Object.entries(RESPONSE_HEADERS).map(
  ([name, line]) => [name, name.toLowerCase(), line] as const,
);

const ajv = new Ajv2020({
  strict: false,
  formats: {
    date: isCalendarDate,
    'date-time': true,
    int32: true,
    'uri-reference': true,
  },
}).addSchema({ $id: 'document', components: { schemas: strict(schemas) } });

const validators = new Map<string, ValidateFunction>();
/** The same validators by schema object, so that most schemas need not be converted to text again. */
const validatorsOfObjects = new WeakMap<Json, ValidateFunction>();

/** A compiled schema, with references into the document. */
function validatorOf(schema: Json): ValidateFunction {
  const present = validatorsOfObjects.get(schema);
  if (present !== undefined) return present;
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const known = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, known);
  validatorsOfObjects.set(schema, known);
  return known;
}

/** The base paths of the running services of this process, by URL. */
const services = new Map<string, string>();

export const registerService = (url: string, basePath: string): void =>
  void services.set(url, basePath);

export const unregisterService = (url: string): void => void services.delete(url);

/** Throws an Error that says how a response of a registered service differs from the document. */
export function expectDocumented(url: string, answer: ReceivedResponse): void {
  const basePath = services.get(url);
  // An interrupted request has no response.
  if (basePath === undefined || answer.status === 0) return;
  const wrong = faultIn(answer, basePath);
  if (wrong === undefined) return;
  const { method, target, status } = answer;
  throw new Error(`${method} ${target.slice(0, 200)}, answered with ${status}, ${wrong}.`);
}

function faultIn(answer: ReceivedResponse, basePath: string): string | undefined {
  const response = responseFor(answer, basePath);
  if (response === 'none') return undefined;
  if (response === undefined) return 'has a status that is not documented';
  const { headers } = answer;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const content = response.content?.[type];
  if (content === undefined && response.content !== undefined)
    return `has the type "${type}", which the document does not name`;
  return headerFault(response, headers) ?? bodyFault(answer, type, content ?? {});
}

/** The explorer's page and its files are not part of the API. */
const OF_THE_EXPLORER = /^(\/?|\/icon\.svg|\/assets\/[\w.-]+)$/;

/**
 * The response that the document describes for this status. On a path without an operation, any problem is
 * accepted. `none` if the document need not describe the response; undefined if it should, but does not.
 */
function responseFor(
  { method, target, status, headers }: ReceivedResponse,
  basePath: string,
): ResponseObject | 'none' | undefined {
  if (method === 'OPTIONS' && status < 300) return 'none';
  const path = pathOf(target);
  const type = headers.get('content-type') ?? '';
  // Responses of the Model Context Protocol are not part of the document, except problems.
  if (method === 'POST' && path === `${basePath}/mcp` && !type.startsWith(PROBLEM_MEDIA_TYPE)) {
    return 'none';
  }
  const documented = method === 'HEAD' ? 'GET' : method;
  const operation = path.startsWith(basePath)
    ? responsesOf.find(
        (each) => each.method === documented && each.pattern.test(path.slice(basePath.length)),
      )
    : undefined;
  if (operation !== undefined) return operation.responses[status];
  if (status < 400 && OF_THE_EXPLORER.test(path.slice(basePath.length))) return 'none';
  const content = { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  return status >= 400 ? { headers: RESPONSE_HEADERS, content } : undefined;
}

/** The path as the router reads it: without an origin, and decoded. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function headerFault(
  response: ResponseObject,
  headers: ReadonlyMap<string, string>,
): string | undefined {
  const documented = headerObjects.filter(([name]) => name in response.headers);
  for (const [name, key, line] of documented) {
    const value = headers.get(key);
    const isOptional = 'optional' in line || response.headers === RESPONSE_HEADERS;
    if (value === undefined && !isOptional) return `has no header ${name}`;
    if (value === undefined) continue;
    const given = line.schema.type === 'integer' ? Number(value) : value;
    if (!validatorOf(line.schema)(given)) return `has the header ${name}: ${value}`;
  }
  const known = [...ALWAYS_ALLOWED, ...documented.map(([, key]) => key)];
  const other = [...headers.keys()].find((key) => !known.includes(key) && !OF_CORS.test(key));
  return other === undefined ? undefined : `has the header ${other}, which is not documented`;
}

function bodyFault(
  { method, target, body }: ReceivedResponse,
  type: string,
  { schema, examples }: { readonly schema?: Json; readonly examples?: Json },
): string | undefined {
  if (method === 'HEAD' || body === undefined || schema === undefined) return undefined;
  if (!/[/+]json$/.test(type)) return undefined;
  const wanted = target.includes('fields=') ? withSomeFields(schema) : schema;
  const validate = validatorOf(wanted);
  const isLong = body.length > LONG && body.startsWith('[');
  const value: unknown = isLong ? firstRecords(body) : JSON.parse(body);
  if (!validate(value)) return `has a body in which ${ajv.errorsText(validate.errors)}`;
  const code = (value as { code?: string }).code ?? '';
  if (examples !== undefined && !(code in examples)) return `has the code ${code}`;
  return undefined;
}

/** The schema of a record or of a list of records, changed so that no field is required. */
function withSomeFields(schema: Json): Json {
  const known = schemasOfSomeFields.get(schema) ?? madeForSomeFields(schema);
  schemasOfSomeFields.set(schema, known);
  return known;
}

const schemasOfSomeFields = new WeakMap<Json, Json>();

function madeForSomeFields(schema: Json): Json {
  const { items, $ref } = schema as { items?: Json; $ref?: string };
  if (items !== undefined) return { ...schema, items: madeForSomeFields(items) };
  const record = schemas[$ref?.split('/').at(-1) ?? ''];
  return record === undefined ? schema : (strict({ ...record, required: [] }) as Json);
}

/** At most `FIRST` records, from the first `LONG` characters of a JSON list with one record per line. */
const firstRecords = (body: string): unknown[] =>
  body
    .slice(0, LONG)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/^[[,]/, '').replace(/,$/, ''))
    .filter((line) => line.startsWith('{'))
    .slice(0, FIRST)
    .map((line) => JSON.parse(line));

/** The response, checked at once, and again when its whole body is read as text. */
export function checkedResponse(url: string, target: string, response: Response): Response {
  const { status } = response;
  const answer = { method: 'GET', target, status, headers: new Map(response.headers) };
  expectDocumented(url, answer);
  const text = response.text.bind(response);
  const read = async () => {
    const body = await text();
    expectDocumented(url, { ...answer, body });
    return body;
  };
  return Object.assign(response, { text: read, json: async () => JSON.parse(await read()) });
}
