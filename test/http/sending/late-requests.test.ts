import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { readAnswer } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const HALF = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => await service.close());

test('a request that is completed while the server shuts down is refused', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => socket.write(HALF, () => resolve()));
  // Once this request is answered, the server has read the half request, so its connection does not count as idle.
  expect((await service.get('/health/live')).status).toBe(200);
  const closed = service.server.close();
  await expect.poll(() => service.server.server.listening).toBe(false);
  socket.write('\r\n');
  await ended;
  const answer = readAnswer(Buffer.concat(chunks).toString());
  expectProblem(answer, 'shutting_down');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(answer.headers.get('connection')).toBe('close');
  await closed;
});
