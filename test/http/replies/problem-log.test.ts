import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invalidToken } from '../../../src/auth/oidc/oidc-claims.ts';
import { Problem } from '../../../src/contract/problems/problems.ts';
import { EngineFailure } from '../../../src/engine/engine.ts';
import { problemLog } from '../../../src/http/replies/problem-log.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

let service: TestService;
let refusal: Problem;

beforeAll(async () => {
  service = await startService({
    parts: (parts) => ({
      ...parts,
      verifyJwt: async () => {
        throw refusal;
      },
    }),
  });
});

afterAll(async () => await service.close());

/** The lines of the log, except those of responses. */
async function loggedWith(problem: Problem): Promise<readonly Record<string, unknown>[]> {
  refusal = problem;
  const before = service.log.length;
  const answer = await service.get('/api/me', 'a.b.c');
  const id = answer.headers.get('x-request-id');
  const lines = service.log.slice(before).map((line) => JSON.parse(line));
  return lines.filter((line) => line.msg !== 'answered' && line.req_id === id);
}

test('the log has the reason for a refused token', async () => {
  const lines = await loggedWith(invalidToken('The claim "role" must be one of admin.'));
  expect(lines).toMatchObject([
    { level: 30, code: 'token_invalid', reason: 'The claim "role" must be one of admin.' },
  ]);
  expect(lines[0]).not.toHaveProperty('err');
});

test.each(['database_unavailable', 'identity_provider_unavailable', 'no_room', 'busy'] as const)(
  'the log contains the cause of %s',
  async (code) => {
    const cause = new EngineFailure('connect ECONNREFUSED', { cause: new Error('deeper') });
    const [line] = await loggedWith(new Problem(code, { cause }));
    expect(line).toMatchObject({ level: 40, code, err: { message: expect.any(String) } });
    expect(JSON.stringify(line)).toContain('deeper');
  },
);

test('a problem without a cause adds nothing to the log', async () => {
  expect(await loggedWith(new Problem('token_missing'))).toEqual([]);
});

test('a flood of problems before authentication writes a limited number of lines', async () => {
  const lines: string[] = [];
  const app = fastify({ logger: { stream: { write: (line) => void lines.push(line) } } });
  app.decorateRequest('principal', undefined);
  const log = problemLog(app);
  const problem = new Problem('identity_provider_unavailable', { cause: new Error('no answer') });
  app.get('/', async (request) => {
    for (let count = 0; count < 300; count += 1) log(request, problem);
  });
  await app.inject('/');
  const logged = () => lines.map((line) => JSON.parse(line));
  expect(logged().filter(({ code }) => code === problem.code)).toHaveLength(100);
  const omitted = () =>
    logged().find(({ msg }) => msg.startsWith('problems before authentication'))?.omitted;
  await expect.poll(omitted).toBe(200);
});
