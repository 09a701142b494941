/** Starts the process of the OpenID provider and exchanges messages with it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { ProviderPage } from './oidc-provider-process.ts';

const PROGRAM = fileURLToPath(new URL('oidc-provider-process.ts', import.meta.url));

export const AUDIENCE = 'https://reporting.example/api';

export interface SigningKey extends JWK {
  readonly kid: string;
  readonly alg: string;
}

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg };
}

export interface RunningProvider {
  readonly issuer: string;
  /** A token from the provider's token endpoint, with additional claims. */
  readonly tokenWith: (claims: object, resource?: string) => Promise<string>;
  /** Replaces the keys; the first one signs. */
  readonly signWith: (...keys: readonly SigningKey[]) => Promise<void>;
  /** Lets users sign in from the explorer's address with any name. Their tokens have the claims of `page`. */
  readonly serve: (page: ProviderPage) => Promise<void>;
  /** The paths that were requested so far. */
  readonly paths: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

async function requestToken(issuer: string, claims: object, resource: string): Promise<string> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('reader:reader-secret')}`,
      'x-claims': JSON.stringify(claims),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  const body = (await answer.json()) as { readonly access_token?: string };
  if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body.access_token;
}

export async function startProvider(key: SigningKey, port = 0): Promise<RunningProvider> {
  const start = JSON.stringify({ port, keys: [key] });
  const child = spawn(process.execPath, [PROGRAM, start], {
    // stderr is ignored: the provider writes warnings to it that concern production only.
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  if (child.stdout === null) throw new Error('The provider has no output.');
  const [line] = (await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The provider ends: ${code}`))),
  ])) as [string];
  const issuer = line.trim();

  async function order(message: object | string): Promise<readonly string[]> {
    const answered = once(child, 'message');
    child.send(message);
    const [paths] = await answered;
    return paths;
  }

  return {
    issuer,
    tokenWith: (claims, resource = AUDIENCE) => requestToken(issuer, claims, resource),
    signWith: async (...keys) => {
      await order({ keys });
    },
    serve: async (page) => {
      await order({ page });
    },
    paths: () => order('paths'),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
