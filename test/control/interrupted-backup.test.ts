import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { socketPath } from '../../src/database/open-database.ts';

const BACKUP = { to: { kind: 'directory', name: 'backup', path: '/backup' } } as const;

/** An operator that is connected to a server whose backup never ends. */
async function operatorOfEndlessBackup(): Promise<RemoteOperator> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-backup-'));
  const server = createServer((_request, response) => {
    const progress = () => response.write('{"event":"progress","part":0.1}\n');
    progress();
    const timer = setInterval(progress, 10);
    response.on('close', () => clearInterval(timer));
  });
  server.listen(socketPath(directory));
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await rm(directory, { recursive: true });
  });
  return new RemoteOperator(directory);
}

test('a backup that is interrupted before the server answers ends with the reason', async () => {
  const operator = await operatorOfEndlessBackup();
  const interruption = new AbortController();
  const backup = operator.backUp(BACKUP, { signal: interruption.signal });
  interruption.abort(new Error('Interrupted.'));
  await expect(backup).rejects.toThrow('Interrupted.');
});

test('a backup that is interrupted while it runs ends with the reason', async () => {
  const operator = await operatorOfEndlessBackup();
  const interruption = new AbortController();
  const { signal } = interruption;
  const onProgress = () => interruption.abort(new Error('Interrupted.'));
  await expect(operator.backUp(BACKUP, { signal, onProgress })).rejects.toThrow('Interrupted.');
});
