import { expect, test } from 'vitest';
import { EXAMPLE_RECORDS } from '../../../src/contract/openapi/examples.ts';
import { exampleProblem, PROBLEM_MEDIA_TYPE } from '../../../src/contract/problems/problem-body.ts';
import type { ProblemCode } from '../../../src/contract/problems/problems.ts';
import {
  expectDocumented,
  type ReceivedResponse,
  registerService,
} from '../../support/requests/conformance.ts';

const URL = 'http://service.example';
registerService(URL, '/base');

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-language': 'fr',
  'content-disposition': 'inline; filename="sales.json"',
};

const records = (...changes: readonly object[]): string =>
  JSON.stringify(changes.map((change) => ({ ...EXAMPLE_RECORDS.affiliate[0], ...change })));

function answer(
  given: Partial<ReceivedResponse>,
  headers: Readonly<Record<string, string>> = {},
): ReceivedResponse {
  return {
    method: 'GET',
    target: '/base/api/affiliate/transactions?type=sales',
    status: 200,
    headers: new Map(Object.entries({ ...HEADERS, ...headers })),
    body: records({}),
    ...given,
  };
}

const problem = (status: number, code: ProblemCode, headers = {}): ReceivedResponse =>
  answer(
    { status, body: JSON.stringify(exampleProblem(code, '/base')) },
    { 'content-type': PROBLEM_MEDIA_TYPE, 'content-language': 'en', ...headers },
  );

const withoutFile = ({ headers, ...rest }: ReceivedResponse): ReceivedResponse => ({
  ...rest,
  headers: new Map([...headers].filter(([name]) => name !== 'content-disposition')),
});

test.each([
  ['a list', answer({})],
  [
    'a list with chosen fields',
    answer({ target: '/base/api/affiliate/transactions?fields=status', body: '[{"status":"1"}]' }),
  ],
  [
    'a long list',
    answer({
      body: `[${Array.from({ length: 2000 }, () => records({}).slice(1, -1)).join('\n,')}\n]\n`,
    }),
  ],
  ['a problem', withoutFile(problem(400, 'invalid_parameters'))],
  [
    'a problem on an unknown path',
    withoutFile({ ...problem(404, 'not_found'), target: '/base/nothing' }),
  ],
])('the check accepts %s', (_, good) => {
  expect(() => expectDocumented(URL, good)).not.toThrow();
});

test.each([
  ['another status', answer({ status: 201 }), 'a status that is not documented'],
  ['another type', answer({}, { 'content-type': 'text/plain' }), 'the type "text/plain"'],
  ['a missing header', withoutFile(answer({})), 'no header Content-Disposition'],
  ['an extra header', answer({}, { 'x-powered-by': 'us' }), 'x-powered-by'],
  [
    'a header with an invalid value',
    answer({}, { 'content-language': 'xx' }),
    'Content-Language: xx',
  ],
  ['an extra field', answer({ body: records({ amount: 1 }) }), 'additional'],
  ['a field of another type', answer({ body: records({}, { total: '1' }) }), '/1/total'],
  ['a missing field', answer({ body: '[{"status":"1"}]' }), 'required'],
  [
    'a fault in a long list',
    answer({ body: `[${records({ total: '1' }).slice(1, -1)}\n${',{}\n'.repeat(200_000)}]` }),
    '/0/total',
  ],
  [
    'a problem of another status',
    withoutFile(
      problem(403, 'invalid_parameters', { 'www-authenticate': 'Bearer realm="transactions"' }),
    ),
    'the code invalid_parameters',
  ],
  [
    'a problem without its challenge',
    withoutFile(problem(401, 'token_missing')),
    'no header WWW-Authenticate',
  ],
  [
    'a success on an unknown path',
    answer({ target: '/base/nothing' }),
    'a status that is not documented',
  ],
])('the check detects %s', (_, wrong, told) => {
  expect(() => expectDocumented(URL, wrong)).toThrow(told);
});
