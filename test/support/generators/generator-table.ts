/** The table of code generators: their packages, how each is called, and a program that uses its code. */

export interface Generator {
  /** Can be tested by `npm test`, with the packages of this repository. */
  readonly isQuick?: true;
  /** What developers must set in addition to the path of the OpenAPI document, as the how-to page says. */
  readonly hint?: string;
  /** The command and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Files that the command reads, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Reads three sales and the access of the token. It is compiled, and fails unless both are right. */
  readonly program: string;
}

const QUESTION = `type: 'sales', start_date: '2026-01-01', end_date: '2026-12-31', status: ['1', '2'], limit: 3`;
const ENVIRONMENT = `const { API = '', TOKEN = '' } = process.env;`;
const HEADERS = `{ Authorization: 'Bearer ' + TOKEN }`;

/** Compiles only if the answer has the types of the document. */
const check = (rows: string, role: string): string => `
const ids: number[] = ${rows}.map((row) => row.transaction_id);
const role: 'admin' | 'affiliate' | undefined = ${role};
if (ids.join() !== '1001,1002,1003' || role !== 'affiliate') throw new Error('The answer is wrong.');`;

export const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript with openapi-fetch': {
    isQuick: true,
    hint: 'the media type as the second type argument of `createClient`',
    command: ['openapi-typescript', 'openapi.json', '-o', 'api.ts'],
    program: `import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
${ENVIRONMENT}
const api = createClient<paths, 'application/json'>({ baseUrl: API, headers: ${HEADERS} });
const { data = [] } = await api.GET('/api/affiliate/transactions', { params: { query: { ${QUESTION} } } });
const me = await api.GET('/api/me');
${check('data', 'me.data?.role')}`,
  },
  oazapfts: {
    isQuick: true,
    command: ['oazapfts', 'openapi.json', 'api.ts'],
    program: `import { affiliateTransactions, defaults, me } from './api.ts';
${ENVIRONMENT}
Object.assign(defaults, { baseUrl: API, headers: ${HEADERS} });
const answer = await affiliateTransactions('sales', '2026-01-01', '2026-12-31', { status: ['1', '2'], limit: 3 });
const access = await me();
if (answer.status !== 200 || access.status !== 200) throw new Error('The request was refused.');
${check('answer.data', 'access.data.role')}`,
  },
  '@hey-api/openapi-ts': {
    hint: '`AffiliateTransactionsResponses[200]` as the type of the rows: the response 206 has no type',
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey'],
    program: `import { client } from './hey/client.gen.ts';
import { type AffiliateTransactionsResponses, affiliateTransactions, me } from './hey/index.ts';
${ENVIRONMENT}
client.setConfig({ baseUrl: API, auth: () => TOKEN });
const answer = await affiliateTransactions({ query: { ${QUESTION} } });
const rows = (answer.data ?? []) as AffiliateTransactionsResponses[200];
const access = await me();
${check('rows', 'access.data?.role')}`,
  },
  orval: {
    hint: 'the content types `application/json` and `application/problem+json`',
    command: ['orval', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `const contentType = { include: ['application/json', 'application/problem+json'] };
const output = { target: 'api.ts', client: 'fetch', baseUrl: process.env.API, override: { contentType } };
export default { api: { input: 'openapi.json', output } };`,
    },
    program: `import { affiliateTransactions, me } from './api.ts';
${ENVIRONMENT}
const headers = ${HEADERS};
const answer = await affiliateTransactions({ ${QUESTION} }, { headers });
const access = await me({ headers });
if (answer.status !== 200 || access.status !== 200) throw new Error('The request was refused.');
${check('answer.data', 'access.data.role')}`,
  },
  'swagger-typescript-api': {
    command: [
      'swagger-typescript-api',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      '.',
      '-n',
      'api.ts',
    ],
    program: `import { Api } from './api.ts';
${ENVIRONMENT}
const { api } = new Api({ baseUrl: API, baseApiParams: { headers: ${HEADERS} } });
const { data } = await api.affiliateTransactions({ ${QUESTION} });
const access = await api.me();
${check('data', 'access.data.role')}`,
  },
  'openapi-zod-client': {
    command: ['openapi-zod-client', 'openapi.json', '-o', 'api.ts'],
    program: `import { createApiClient } from './api.ts';
${ENVIRONMENT}
const api = createApiClient(API, { axiosConfig: { headers: ${HEADERS} } });
const rows = await api.affiliateTransactions({ queries: { ${QUESTION} } });
const access = await api.me();
${check('rows', 'access.role')}`,
  },
};

/** The versions that a full run installs. */
export const PACKAGES: Readonly<Record<string, string>> = {
  '@hey-api/openapi-ts': '0.99.0',
  '@oazapfts/runtime': '1.2.0',
  '@stoplight/prism-cli': '5.16.0',
  '@types/node': '26.6.6',
  '@zodios/core': '10.9.6',
  axios: '1.21.1',
  newman: '6.2.2',
  oazapfts: '7.5.0',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  'openapi-zod-client': '1.18.3',
  orval: '8.38.0',
  'swagger-typescript-api': '13.13.0',
  tsx: '4.23.15',
  typescript: '5.9.3',
  zod: '3.25.76',
};
