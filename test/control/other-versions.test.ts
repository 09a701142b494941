import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { NewToken } from '../../src/auth/new-token.ts';
import type { AuditReadingOperator } from '../../src/control/audited-operator.ts';
import { followBackup } from '../../src/control/backup-events.ts';
import { listenForOperators } from '../../src/control/control-socket.ts';
import { followImport } from '../../src/control/import-events.ts';
import type { ImportCommand, Operator } from '../../src/control/operator.ts';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { socketPath } from '../../src/database/open-database.ts';
import { UserError } from '../../src/user-error.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-versions-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const TOKEN = {
  id: 'one',
  role: 'affiliate',
  publisher_ids: [345],
  program_ids: [],
  locale: null,
  name: null,
  created_at: '2026-01-15T12:00:00.000Z',
  expires_at: null,
  revoked_at: null,
};

const never = (): never => {
  throw new Error('The operator was asked.');
};

/** Listens like a server. Returns a function that posts a body and returns the status and body of the response. */
async function startSocket(operator: Partial<AuditReadingOperator> = {}) {
  const directory = await mkdtemp(join(home, 'db-'));
  const everything: AuditReadingOperator = {
    workDirectory: directory,
    timeZone: never,
    databaseState: never,
    failedImport: never,
    importFiles: never,
    importDirectory: never,
    directoryLines: never,
    backUp: never,
    previewErasure: never,
    erase: never,
    createToken: never,
    createLink: never,
    listTokens: never,
    revokeToken: never,
    listBlockedSubjects: never,
    blockSubject: never,
    unblockSubject: never,
    auditLines: never,
    webhooks: {
      add: never,
      list: never,
      test: never,
      pause: never,
      resume: never,
      rotate: never,
      replay: never,
      remove: never,
    },
    retain: never,
    close: async () => undefined,
    ...operator,
  };
  const silent = pino({ level: 'silent' });
  const app = await listenForOperators(directory, { timeZone: 'UTC' }, everything, silent);
  onTestFinished(async () => await app.close());
  return async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const options = { socketPath: socketPath(directory), method: 'POST', path, headers };
    const request = httpRequest(options).end(JSON.stringify(body));
    const [response] = await once(request, 'response');
    return { status: response.statusCode, body: await text(response) };
  };
}

/** A server that gives one reply to every request; returns an operator that is connected to it. */
async function operatorOf(status: number, answer: string): Promise<RemoteOperator> {
  const directory = await mkdtemp(join(home, 'other-'));
  const server = createServer((_request, response) => response.writeHead(status).end(answer));
  server.listen(socketPath(directory));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return new RemoteOperator(directory);
}

test('directories that other threads create while the socket is created can be used', async () => {
  const masks = vi.spyOn(process, 'umask');
  onTestFinished(() => masks.mockRestore());
  await startSocket();
  const [during] = masks.mock.calls.map(([mask]) => Number(mask));
  expect(during?.toString(8)).toBe('77');
});

const AFFILIATE = { role: 'affiliate', publisherIds: [345], programIds: [12] };

test('a request for a token is parsed with all its members', async () => {
  const orders: NewToken[] = [];
  const createToken: Operator['createToken'] = async (order) => {
    orders.push(order);
    return never();
  };
  const post = await startSocket({ createToken });
  const parts = { locale: 'de', name: 'Data team', expiresAt: '2027-01-15T12:00:00.000Z' };
  await post('/tokens', { ...AFFILIATE, ...parts });
  expect(orders).toEqual([{ ...AFFILIATE, ...parts, expiresAt: new Date(parts.expiresAt) }]);
});

test.each([
  ['a restriction of a newer version', { ...AFFILIATE, countries: ['FR'] }, 'countries'],
  ['an unknown role', { ...AFFILIATE, role: 'partner' }, 'role'],
  ['an unknown language', { ...AFFILIATE, locale: 'sv' }, 'locale'],
  ['an affiliate without websites', { ...AFFILIATE, publisherIds: [] }, 'publisherIds'],
  ['an admin with websites', { ...AFFILIATE, role: 'admin' }, 'publisherIds'],
  ['an identifier as text', { ...AFFILIATE, programIds: ['12'] }, 'programIds.0'],
  ['a negative identifier', { ...AFFILIATE, publisherIds: [-1] }, 'publisherIds.0'],
  ['an invalid date', { ...AFFILIATE, expiresAt: 'soon' }, 'expiresAt'],
  ['a list', [], 'role'],
])('a request for a token with %s is refused', async (_, order, named) => {
  const post = await startSocket();
  const { status, body } = await post('/tokens', order);
  expect(status).toBe(400);
  expect(body).toContain(named);
  expect(body).not.toContain('The operator was asked.');
});

const IMPORT = { files: [{ path: '/tmp/a', name: 'a' }], round: false, rejects: false };

test('a request for an import is parsed with all its members', async () => {
  const commands: ImportCommand[] = [];
  const importFiles: Operator['importFiles'] = async (command) => {
    commands.push(command);
    return never();
  };
  const post = await startSocket({ importFiles });
  const mapping = { fields: { pid: { from: 'p', codes: { a: 'b' } } }, timeZone: 'Europe/Paris' };
  const command = {
    ...IMPORT,
    type: 'sales',
    files: [{ path: '/a', name: 'a', key: 'id', mapping }],
  };
  await post('/imports/1', command);
  expect(commands).toEqual([command]);
});

test.each([
  ['a flag of a newer version', { ...IMPORT, dryRun: true }],
  ['no files', { ...IMPORT, files: undefined }],
  ['an unknown type', { ...IMPORT, type: 'calls' }],
  [
    'a mapping of an unknown field',
    { ...IMPORT, files: [{ path: 'a', name: 'a', mapping: { fields: { x: { from: 'y' } } } }] },
  ],
])('a request for an import with %s is refused', async (_, command) => {
  const post = await startSocket();
  const { status, body } = await post('/imports/1', command);
  expect([status, body.includes('The operator was asked.')]).toEqual([400, false]);
});

test.each([
  [
    'refuses the order',
    400,
    '{"message":"Version 0.0.1 does not understand this request: countries."}',
  ],
  ['does not know the path', 404, '{"message":"Route POST:/tokens not found"}'],
  ['answers with an unknown role', 200, JSON.stringify([{ ...TOKEN, role: 'partner' }])],
  ['answers without the websites', 200, JSON.stringify([{ ...TOKEN, publisher_ids: null }])],
  ['answers with no JSON', 200, '<html>'],
])(
  'if a server of another version %s, the user is told to restart it',
  async (_, status, answer) => {
    const operator = await operatorOf(status, answer);
    const error = await operator.listTokens().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toHaveProperty('next', expect.stringContaining('Restart the server'));
  },
);

test('a response may have members that this version does not know', async () => {
  const operator = await operatorOf(200, JSON.stringify([{ ...TOKEN, last_used_at: null }]));
  expect(await operator.listTokens()).toMatchObject([{ id: 'one', publisherIds: [345] }]);
});

test('a failure without a message is reported by its status', async () => {
  const operator = await operatorOf(502, 'Bad gateway');
  await expect(operator.listTokens()).rejects.toThrow('status 502');
});

test.each([
  ['an unknown event', '{"event":"paused"}\n'],
  ['a report without numbers', '{"event":"report","report":{"id":"1"}}\n'],
  ['a line that is not JSON', 'imported\n'],
])('an import that receives %s fails with advice', async (_, events) => {
  const operator = await operatorOf(200, events);
  const importing = operator.importFiles({ ...IMPORT, type: undefined }, {});
  await expect(importing).rejects.toBeInstanceOf(UserError);
});

/** The lines of a server that then closes the connection without an end. */
async function* broken(...lines: readonly object[]): AsyncGenerator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

test('a failure that was not caused by the abort is reported, also after an abort', async () => {
  const signal = AbortSignal.abort(new Error('Interrupted: nothing was imported.'));
  const outcome = async (event: object) =>
    await followImport(Readable.from([`${JSON.stringify(event)}\n`]), { signal });
  const failed = { event: 'failed', message: 'The import is complete, but some rows are hidden.' };
  await expect(outcome({ ...failed, isAborted: false })).rejects.toThrow('The import is complete');
  await expect(outcome({ ...failed, isAborted: true })).rejects.toThrow('Interrupted');
  // Servers of earlier versions do not send `isAborted`.
  await expect(outcome(failed)).rejects.toThrow('Interrupted');
});

test('a server that dies during a backup is reported with advice', async () => {
  const events = Readable.from(broken({ event: 'progress', part: 0.5 }));
  await expect(followBackup(events)).rejects.toMatchObject({
    message: expect.stringContaining('cannot be restored'),
    next: expect.stringContaining('Delete the incomplete backup'),
  });
});
