/** Translates the arguments of a tool into a target of the API: a path with a query string. */

import type { JsonObject } from '../contract/json-object.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import { hintForUnknown } from '../contract/query/parameter-hints.ts';
import type { Role } from '../contract/record/records.ts';
import { DEFAULT_ROWS, MAX_ROWS } from './tool-bounds.ts';
import { operationOf, parametersOf, type ReportTool } from './tools.ts';

/** Arguments that cannot be sent to the API. The message says what is valid. */
export class InvalidArguments extends Error {}

/** The texts of each argument, by name. There are several if the parameter is repeated. */
export type ArgumentTexts = ReadonlyMap<string, readonly string[]>;

export function readArguments(tool: ReportTool, role: Role, given: JsonObject): ArgumentTexts {
  const operation = operationOf(tool, role);
  const known = argumentsOf(operation);
  const ofAdmins = argumentsOf(operationOf(tool, 'admin'));
  const texts = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new InvalidArguments(
        `${name}: Unknown argument.${hintForUnknown(name, known, ofAdmins)} The arguments are ${known.join(', ')}.`,
      );
    }
    // Models write null for an argument that they leave out.
    if (value !== null) texts.set(name, textsOf(operation, name, value));
  }
  if (known.includes('limit')) texts.set('limit', [limitOf(texts.get('limit')?.[0])]);
  return texts;
}

const argumentsOf = (operation: Operation): readonly string[] => [
  ...Object.keys(operation.pathParameters ?? {}),
  ...Object.keys(parametersOf(operation)),
];

function textsOf({ parameters }: Operation, name: string, value: unknown): readonly string[] {
  const isRepeated = Array.isArray(value) && value.length > 0 && parameters[name]?.repeats;
  return isRepeated ? value.map((item) => textOf(name, item)) : [textOf(name, value)];
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new InvalidArguments(`${name}: Must be a text, a number, a boolean or a list of them.`);
}

/** The limit, but at most `MAX_ROWS`. The API refuses a text that is not a number. */
const limitOf = (given = String(DEFAULT_ROWS)): string =>
  Number(given) > MAX_ROWS ? String(MAX_ROWS) : given;

/** The target below the base path. */
export function targetOf(operation: Operation, texts: ArgumentTexts): string {
  const { path, pathParameters = {} } = operation;
  const names = Object.keys(pathParameters);
  const filled = names.reduce((all, name) => all.replace(`{${name}}`, inPath(name, texts)), path);
  const ofQuery = [...texts].filter(([name]) => !names.includes(name));
  const query = new URLSearchParams(
    ofQuery.flatMap(([name, values]) => values.map((value) => [name, value])),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function inPath(name: string, texts: ArgumentTexts): string {
  const text = texts.get(name)?.[0] ?? '';
  // Another character could lead to another path.
  if (!/^\w+$/.test(text))
    throw new InvalidArguments(`${name}: Must be one word of letters, digits and underscores.`);
  return text;
}
