import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOperator } from '../../src/control/open-operator.ts';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { socketPath } from '../../src/database/open-database.ts';
import { runCommand, type ServingCommand, startServing } from '../support/programs/command.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

let home: string;
/** The server that the first test has started. */
let server: ServingCommand | undefined;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-socket-'));
});

afterAll(async () => {
  server?.child.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

const args = (name: string) => ['serve', '--port', '0', '--database', `chdb:${join(home, name)}`];

/** Lists the tokens like a command: through the server if one runs. */
async function listTokens() {
  const url = `chdb:${join(home, 'db')}`;
  const audit = { auditLog: undefined, auditRetention: 0 };
  const operator = await openOperator({ url, timeZone: undefined, ...audit });
  try {
    return await operator.listTokens();
  } finally {
    await operator.close();
  }
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('the socket of a killed server is replaced', async () => {
  const killed = await startServing(args('db'), { directory: home });
  const path = join(home, 'db/operator.sock');
  expect([await modeOf(path), await modeOf(join(home, 'db'))]).toEqual(['600', '700']);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect((await stat(path)).isSocket()).toBe(true);
  expect(await listTokens()).toEqual([]);
  server = await startServing(args('db'), { directory: home });
  expect(await listTokens()).toEqual([]);
});

test('only its owner can use the socket, and it is removed when the service stops', async () => {
  server ??= await startServing(args('db'), { directory: home });
  const path = join(home, 'db/operator.sock');
  expect((await stat(path)).isSocket()).toBe(true);
  expect(await modeOf(path)).toBe('600');
  expect(await modeOf(join(home, 'db'))).toBe('700');
  expect((await server.stop()).code).toBe(0);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('the message of a server that refuses is shown, for an import too', async () => {
  const directory = await mkdtemp(join(home, 'refusing-'));
  const refusing = createServer((_request, response) => {
    response.writeHead(503).end(JSON.stringify({ message: 'The server is stopping.' }));
  }).listen(socketPath(directory));
  await once(refusing, 'listening');
  const operator = new RemoteOperator(directory);
  const order = { files: [], round: false, rejects: false };
  await expect(operator.importFiles(order, {})).rejects.toThrow('The server is stopping.');
  await expect(operator.listTokens()).rejects.toThrow('The server is stopping.');
  refusing.close();
});

test('if the server ends before it answers, the outcome is unknown, and the advice says what to do', async () => {
  const directory = await mkdtemp(join(home, 'ending-'));
  const operator = new RemoteOperator(directory);
  await expect(operator.revokeToken('one')).rejects.toThrow('does not answer');
  const ending = createServer((request, response) => {
    if (request.url === '/tokens') return request.socket.destroy();
    return response.writeHead(200).write('{', () => request.socket.destroy());
  }).listen(socketPath(directory));
  await once(ending, 'listening');
  const message = expect.stringContaining('may have been carried out, or not');
  await expect(
    operator.createToken({ role: 'admin', publisherIds: [], programIds: [] }),
  ).rejects.toMatchObject({
    message,
    next: expect.stringContaining('revoke it, because nobody has it'),
  });
  await expect(operator.revokeToken('one')).rejects.toMatchObject({
    message,
    next: expect.stringContaining('run the command again'),
  });
  ending.close();
});

// Only in the full run. In `npm test`, the tests above use the socket.
test.runIf(IS_FULL)(
  'a directory with a path too long for a socket is refused with advice, without waiting for Redis',
  async () => {
    const environment = { REDIS_URL: 'redis://127.0.0.1:1' };
    const { code, errors } = await runCommand(args('long'.repeat(30)), {
      directory: home,
      environment,
    });
    expect(code).toBe(1);
    expect(errors).toContain('too long for a socket');
    expect(errors).toContain('Choose a shorter one');
  },
);
