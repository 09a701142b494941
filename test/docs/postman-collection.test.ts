import { expect, test } from 'vitest';
import { postmanCollection } from '../../src/cli/reference/postman-collection.ts';
import { OPERATIONS } from '../../src/contract/openapi/operations.ts';
import { readParameters } from '../../src/contract/query/read-parameters.ts';

/** Operations that only read. The collection has no others, so that running all of it changes nothing. */
const READING = OPERATIONS.filter(({ method }) => method === undefined);

const items = postmanCollection().item.flatMap(({ item }) => item);

const itemsByPath = new Map(items.map((item) => [item.request.url.path.join('/'), item]));

test('the collection has each operation that only reads exactly once', () => {
  const paths = READING.map(({ path }) => path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'));
  expect([...itemsByPath.keys()].sort()).toEqual(paths.sort());
  expect(items).toHaveLength(paths.length);
});

test.each(READING)('the parameters of $path are valid, and each disabled one too', (operation) => {
  const { path, parameters, roles } = operation;
  const url = itemsByPath.get(path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'))?.request.url;
  const sent = url?.raw.split('?')[1] ?? '';
  const further = (url?.query ?? []).filter(({ disabled }) => disabled);
  expect(further.length + new URLSearchParams(sent).size).toBe(Object.keys(parameters).length);
  for (const { key, value } of [{ key: '', value: '' }, ...further]) {
    const query = key === '' ? sent : `${sent}&${key}=${value}`;
    for (const role of roles) expect(readParameters(parameters, query, role).faults).toEqual([]);
  }
});

test('only operations that need no token are sent without one', () => {
  for (const { request } of items) {
    const operation = READING.find(
      ({ summary }) => itemsByPath.get(request.url.path.join('/'))?.name === summary,
    );
    expect(request.auth === undefined).toBe((operation?.roles.length ?? 0) > 0);
  }
});
