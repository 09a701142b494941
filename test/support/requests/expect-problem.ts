/** Assertions that every problem response must satisfy (RFC 9457). */

import { expect } from 'vitest';
import { type ProblemCode, problemLine } from '../../../src/contract/problems/problems.ts';
import type { RawAnswer } from './raw-http.ts';

/** Asserts that a response is this problem in its full form. */
export function expectProblem(answer: RawAnswer, code: ProblemCode, basePath = ''): void {
  const { status, title, detail } = problemLine(code);
  expect({ status: answer.status, body: answer.body.slice(0, 200) }).toEqual({
    status,
    body: expect.stringContaining(`"title":"${title}"`),
  });
  const problem = JSON.parse(answer.body);
  expect(problem).toEqual({
    type: `${basePath}/problems/${code.replaceAll('_', '-')}`,
    title,
    status,
    // A hint about the case may follow.
    detail: expect.stringContaining(detail),
    code,
    request_id: answer.headers.get('x-request-id'),
    ...(code === 'invalid_parameters' ? { errors: expect.any(Array) } : {}),
  });
  expect(problem.request_id).toMatch(/^[\w.-]{1,64}$/);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('content-language')).toBe('en');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.body)));
}
