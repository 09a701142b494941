import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../support/requests/service.ts';

/** A provider whose discovery document comes when `answer` is called. */
async function slowProvider() {
  let asked = 0;
  const answered = Promise.withResolvers<void>();
  const server = createServer(async (_, response) => {
    asked += 1;
    await answered.promise;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, asked: () => asked, answer: answered.resolve };
}

test('discovery begins when the service starts, and the page waits a moment for the result', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'explorer-'));
  onTestFinished(async () => await rm(directory, { recursive: true }));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Page</title>');
  const { issuer, asked, answer } = await slowProvider();
  const client = {
    clientId: 'page',
    scope: 'openid',
    audience: 'api',
    audienceParameter: undefined,
  };
  const service = await startService({
    settings: { signIn: { issuer, ...client } },
    parts: (parts) => ({ ...parts, explorer: pathToFileURL(`${directory}/`) }),
  });
  onTestFinished(async () => await service.close());
  await expect.poll(asked).toBe(1);
  const policy = async () =>
    (await fetch(service.url)).headers.get('content-security-policy') ?? '';
  // The page is served although the provider takes too long.
  expect(await policy()).toContain("connect-src 'self';");
  const waiting = policy();
  answer();
  expect(await waiting).toContain(`connect-src 'self' ${issuer}/token;`);
});
