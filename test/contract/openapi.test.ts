import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../../src/contract/openapi/openapi.ts';
import { problemsOf } from '../../src/contract/openapi/openapi-operation.ts';
import { OPERATIONS } from '../../src/contract/openapi/operations.ts';
import { PROBLEM_CODES } from '../../src/contract/problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../../src/contract/problems/problem-explanations.ts';
import { PROBLEMS } from '../../src/contract/problems/problems.ts';
import { type Parameter, schemaOfParameter } from '../../src/contract/query/parameters.ts';
import { VERSION } from '../../src/contract/version.ts';

const document = openApiDocument('');

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
}

describe.each(OPERATIONS)('the operation $id at $path', (operation) => {
  const object = document.paths[operation.path]?.[operation.method ?? 'get'];

  test('has every parameter of its table, with the same properties', () => {
    const parameters = (object?.parameters ?? []) as readonly ParameterObject[];
    const query = parameters.filter((parameter) => parameter.in === 'query');
    expect(query.map(({ name }) => name)).toEqual(Object.keys(operation.parameters));
    for (const { name, required, schema } of query) {
      const line = operation.parameters[name] as Parameter<unknown>;
      expect(required).toBe(line.required === true);
      expect(schema).toMatchObject(schemaOfParameter(line, operation.roles[0] ?? 'admin'));
    }
  });

  test('has a response for the status of each of its problems', () => {
    const statuses = problemsOf(operation.problems).map((code) => String(PROBLEMS[code].status));
    expect(Object.keys(object?.responses ?? {})).toEqual(
      expect.arrayContaining([...statuses, ...Object.keys(operation.responses)]),
    );
  });

  test('requires a token of the roles that may call it, or the code of a sign-in link', () => {
    const schemes = operation.takesCode
      ? ['signInCode']
      : operation.roles.map((role) => `${role}Token`);
    expect(object?.security).toEqual(schemes.map((scheme) => ({ [scheme]: [] })));
  });
});

test('every problem belongs to an operation, except those of unsupported methods and of the MCP server', () => {
  const told = new Set(problemsOf(OPERATIONS.flatMap(({ problems }) => problems)));
  expect(PROBLEM_CODES.filter((code) => !told.has(code))).toEqual([
    'origin_forbidden',
    'method_not_allowed',
  ]);
});

test('no two operations have the same path and method or the same name', () => {
  const places = OPERATIONS.map(({ path, method }) => `${method} ${path}`);
  expect(new Set(places).size).toBe(OPERATIONS.length);
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

test('the document has the version of the package', () => {
  expect(VERSION).toBe(manifest.version);
});

test('the base path is in the URL of the server and in the types of problems', () => {
  const based = JSON.stringify(openApiDocument('/reports'));
  expect(based.match(/"url":"\/[^"]*"/g)).toEqual(['"url":"/reports"']);
  expect(based.match(/"type":"[^"]*\/problems\//g)).toEqual(
    based.match(/"type":"\/reports\/problems\//g),
  );
});

test('every reference of the document can be resolved', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(50);
  for (const path of new Set(references)) {
    const steps = path.split('/');
    const found = steps.reduce<unknown>((at, step) => Object(at)[step], document);
    expect(found, path).toBeDefined();
  }
});

test.each(PROBLEM_CODES)('the page of %s says more than its response', (code) => {
  const { meaning, remedy } = PROBLEM_EXPLANATIONS[code];
  const { detail, title } = PROBLEMS[code];
  for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z].*\.$/s);
  expect(meaning.length + remedy.length).toBeGreaterThan(detail.length + title.length);
});

test('the document in the repository is up to date', () => {
  const file = new URL('../../docs/reference/openapi.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
});
