/** Generates `client/src/openapi.ts`: TypeScript types from the OpenAPI document of the service. */

import openapiTS, { astToString } from 'openapi-typescript';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly in: string;
  readonly schema: Json;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
}

interface Document {
  readonly openapi: string;
  readonly info: Json;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Json };
}

const NOTE =
  '/** The types of the OpenAPI document, written by `npm run generate`; not to be edited. */';

/** Takes the document as JSON text; returns the module for the operations that the client offers. */
export async function clientTypes(text: string): Promise<string> {
  // The service's own code generates the document, and a test lints it.
  const document = JSON.parse(text) as Document;
  const nodes = await openapiTS(Buffer.from(JSON.stringify(offered(document))), {
    immutable: true,
    silent: true,
  });
  return `${NOTE}\n\n${astToString(nodes)}`;
}

function offered({ openapi, info, paths, components }: Document): Json {
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .map(([path, { get }]) => [path, { get: offeredOperation(get) }]);
  const schemas = Object.entries(components.schemas).filter(([name]) => !/Choice$/.test(name));
  return {
    openapi,
    info,
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** Drops responses and headers: the client types records and problems by their schemas. */
function offeredOperation({ operationId, summary, parameters = [] }: Operation): Json {
  const asked = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...parameter, schema: valueOrList(parameter.schema) }));
  return { operationId, summary, parameters: asked, responses: { 200: { description: '' } } };
}

/** A list parameter accepts one item or an array. */
function valueOrList({ type, items, ...schema }: Json): Json {
  if (type !== 'array') return { type, ...schema };
  const item = itemSchema(items as Json);
  return { anyOf: [item, { type, items: item }] };
}

/** Identifiers are numbers or strings. */
const itemSchema = ({ type, ...schema }: Json): Json =>
  type === 'integer' ? { type: ['integer', 'string'] } : { type, ...schema };
