/** The Postman collection of the API (format v2.1), from the table of operations. */

import type { Operation } from '../../contract/openapi/operation.ts';
import { OPERATIONS } from '../../contract/openapi/operations.ts';
import type { ParameterTable } from '../../contract/query/parameters.ts';

const DESCRIPTION =
  'Set the variables `baseUrl` and `token`, and use the folder of your role. Optional parameters are switched off; each has an example.';

/** The name of each folder, and which operations it has. */
const FOLDERS: readonly (readonly [string, (operation: Operation) => boolean])[] = [
  ['Administrators', ({ roles }) => roles.length === 1 && roles.includes('admin')],
  ['Affiliates', ({ roles }) => roles.length === 1 && roles.includes('affiliate')],
  ['Every token', ({ roles }) => roles.length > 1],
  ['Without a token', ({ roles }) => roles.length === 0],
];

/** A test after every request. */
const EXPECT_SUCCESS = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["pm.test('the request succeeds', () => pm.expect(pm.response.code).to.equal(200));"],
  },
};

export const postmanCollection = () => ({
  info: {
    name: 'Transactions reporting',
    description: DESCRIPTION,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  event: [EXPECT_SUCCESS],
  variable: [
    { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
    { key: 'token', value: '' },
  ],
  item: FOLDERS.map(([name, isIn]) => ({ name, item: READING.filter(isIn).map(itemOf) })),
});

/** Only operations that read, so that running the whole collection changes nothing. */
const READING = OPERATIONS.filter(({ method }) => method === undefined);

const itemOf = (operation: Operation) => ({
  name: operation.summary,
  request: {
    method: 'GET',
    description: operation.description,
    ...(operation.roles.length === 0 ? { auth: { type: 'noauth' } } : {}),
    url: urlOf(operation),
  },
});

function urlOf({ path, pathParameters = {}, parameters }: Operation) {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = queryOf(parameters);
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}/${segments}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    query,
    variable: Object.entries(pathParameters).map(([key, { example, meaning }]) => ({
      key,
      value: example,
      description: meaning,
    })),
  };
}

const queryOf = (parameters: ParameterTable) =>
  Object.entries(parameters).map(([key, { example, meaning, required }]) => ({
    key,
    value: example,
    description: meaning,
    disabled: required !== true,
  }));
