import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import {
  PROBLEMS,
  Problem,
  type ProblemCode,
  problemLine,
} from '../../src/contract/problems/problems.ts';

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

const withStatus = (status: number): readonly ProblemCode[] =>
  CODES.filter((code) => PROBLEMS[code].status === status);

test.each(CODES)('%s has an error status, a title and a sentence of advice', (code) => {
  const { status, title, detail } = PROBLEMS[code];
  expect(STATUS_CODES[status]).toBeDefined();
  expect(status).toBeGreaterThanOrEqual(400);
  expect(title).toMatch(/^[A-Z][^.\n]*[^.\s]$/);
  expect(detail).toMatch(/^[A-Z][^\n]*\.$/);
});

test.each(CODES)('the code %s is in lower case with underscores', (code) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('no two problems have the same title or advice', () => {
  expect(new Set(CODES.map((code) => PROBLEMS[code].title)).size).toBe(CODES.length);
  expect(new Set(CODES.map((code) => PROBLEMS[code].detail)).size).toBe(CODES.length);
});

/** Problems that another token would solve, unlike a refused origin. */
const OF_RIGHTS = withStatus(403).filter((code) => code !== 'origin_forbidden');

test('problems of status 401 and problems of rights have a challenge, and no others', () => {
  const challenged = CODES.filter((code) => problemLine(code).bearer !== undefined);
  expect(challenged).toEqual([...withStatus(401), ...OF_RIGHTS]);
});

test('a challenge has the error code of RFC 6750 for its status', () => {
  for (const code of withStatus(401)) {
    expect(problemLine(code).bearer).toBe(code === 'token_missing' ? 'none' : 'invalid_token');
  }
  for (const code of OF_RIGHTS) expect(problemLine(code).bearer).toBe('insufficient_scope');
});

test('the advice in a challenge has only characters that RFC 6750 allows', () => {
  for (const code of [...withStatus(401), ...OF_RIGHTS]) {
    expect(PROBLEMS[code].detail).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  }
});

test('a problem has its code, its advice and its cause', () => {
  const cause = new Error('The disk is full.');
  const problem = new Problem('internal_error', { cause });
  expect(problem).toBeInstanceOf(Error);
  expect(problem).toMatchObject({
    name: 'Problem',
    code: 'internal_error',
    message: PROBLEMS.internal_error.detail,
    faults: [],
    headers: {},
    cause,
  });
});

test('a problem has the given faults and headers', () => {
  const faults = [{ parameter: 'type', code: 'missing', detail: 'Is required.' }] as const;
  const headers = { allow: 'GET, HEAD' };
  expect(new Problem('invalid_parameters', { faults, headers })).toMatchObject({ faults, headers });
});
