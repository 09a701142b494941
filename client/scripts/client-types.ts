/** Writes the types of the client from the OpenAPI document of the service. */

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

/** The module for the text of the document, of which it has only what the client offers. */
export async function clientTypes(text: string): Promise<string> {
  // The document is made by the service's own code, and linted.
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

/** Problems are read by their schema, headers by the client itself. */
function offeredOperation({ operationId, summary, parameters = [] }: Operation): Json {
  const asked = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...parameter, schema: valueOrList(parameter.schema) }));
  return { operationId, summary, parameters: asked, responses: { 200: { description: '' } } };
}

/** A list is one of its items or several for whoever writes TypeScript. */
function valueOrList({ type, items, ...schema }: Json): Json {
  if (type !== 'array') return { type, ...schema };
  const item = itemSchema(items as Json);
  return { anyOf: [item, { type, items: item }] };
}

/** Identifiers may be given as texts too. */
const itemSchema = ({ type, ...schema }: Json): Json =>
  type === 'integer' ? { type: ['integer', 'string'] } : { type, ...schema };
