import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../../client/src/index.ts';
import { errorMessageOf } from '../../explorer/src/service/error-messages.ts';
import { LANGUAGES, textsFor } from '../../explorer/src/texts/languages.ts';
import { exampleProblem, PROBLEM_CODES } from '../../src/contract/problems/problem-body.ts';
import type { ProblemCode } from '../../src/contract/problems/problems.ts';

const problem = (code: ProblemCode, retryAfter?: number) =>
  new ApiProblem(exampleProblem(code, '/'), retryAfter);

describe.each(['en', 'fr'] as const)('in %s', (language) => {
  const texts = textsFor('affiliate', language);
  const refused = (code: ProblemCode, retryAfter?: number) =>
    errorMessageOf(problem(code, retryAfter), texts);

  test.each(PROBLEM_CODES)('%s has its own message, without its code', (code) => {
    const { what, next } = refused(code);
    expect(what).not.toBe(texts.errors.unknown.what);
    expect(`${what} ${next}`).not.toContain(code);
    const others = PROBLEM_CODES.filter((other) => other !== code);
    expect(others.map((other) => refused(other).what)).not.toContain(what);
  });

  test('the message of a problem that this page does not know has its code, for the operator', () => {
    const body = { ...exampleProblem('busy', '/'), code: 'of_tomorrow' as ProblemCode };
    const { what, next, requestId } = errorMessageOf(new ApiProblem(body, undefined), texts);
    expect(what).toBe(texts.errors.unknown.what);
    expect(next).toContain('of_tomorrow');
    expect(requestId).toBe(body.request_id);
  });

  test('the waiting time is that of the service', () => {
    expect(refused('too_many_requests', 37).next).toContain('37');
    expect(refused('too_many_requests').next).toBe(texts.errors.codes.too_many_requests.next);
    expect(refused('too_many_downloads', 1).next).toBe(texts.errors.codes.too_many_downloads.next);
  });
});

test.each(PROBLEM_CODES)('%s offers a retry only if it may help', (code) => {
  const { status } = exampleProblem(code, '/');
  const { isTemporary } = errorMessageOf(problem(code), LANGUAGES.en);
  expect(isTemporary).toBe([408, 429, 500, 503].includes(status));
});

test('the request id is shown for problems that the reader can only report to the operator', () => {
  const named = PROBLEM_CODES.filter(
    (code) => errorMessageOf(problem(code), LANGUAGES.en).requestId !== undefined,
  );
  expect(named.toSorted()).toEqual([
    'busy',
    'content_too_large',
    'database_unavailable',
    'identity_provider_unavailable',
    'internal_error',
    'malformed_request',
    'method_not_allowed',
    'no_room',
    'not_acceptable',
    'not_found',
    'query_too_long',
    'shutting_down',
  ]);
});

test('what affiliates call a website is called a publisher for administrators', () => {
  const wordsOf = (role: 'admin' | 'affiliate', language: 'en' | 'fr') => {
    const texts = textsFor(role, language);
    const { what } = errorMessageOf(problem('publisher_forbidden'), texts);
    return [texts.fields.publisher_id, texts.glance.top.publisher_id, texts.account.websites, what];
  };
  expect(wordsOf('admin', 'en')).toEqual([
    'Publisher',
    'Publishers',
    'Publishers',
    'This publisher is not one of yours.',
  ]);
  expect(wordsOf('admin', 'fr').slice(0, 3)).toEqual(['Diffuseur', 'Diffuseurs', 'Diffuseurs']);
  expect(wordsOf('affiliate', 'en').slice(0, 3)).toEqual(['Website', 'Websites', 'Websites']);
  expect(wordsOf('affiliate', 'fr').slice(0, 3)).toEqual(['Site', 'Sites', 'Sites']);
  for (const language of ['en', 'fr'] as const) {
    expect(JSON.stringify(textsFor('admin', language).fields)).not.toMatch(
      /website|"site"|éditeur/i,
    );
  }
});
