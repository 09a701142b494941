/** Runs a real OpenID provider in a separate process; prints its issuer when it listens. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AsymmetricSigningAlgorithm, type JWK } from 'oidc-provider';

interface Start {
  readonly port: number;
  readonly keys: Keys;
}

type Key = JWK & { readonly alg: AsymmetricSigningAlgorithm };
type Keys = readonly [Key, ...Key[]];

/** A message from the test: the new keys, or a request for the paths that were requested. */
export type ProviderMessage = { readonly keys: Keys } | 'paths';

const start: Start = JSON.parse(process.argv[2] ?? '');
const paths: string[] = [];

const server = createServer();
await new Promise<void>((listening) => server.listen(start.port, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The first of the keys signs; all of them are published. */
const providerWith = (keys: Keys) =>
  new Provider(issuer, {
    jwks: { keys: [...keys] },
    clients: [
      {
        client_id: 'reader',
        client_secret: 'reader-secret',
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: keys[0].alg,
        redirect_uris: [],
        response_types: [],
      },
    ],
    // A header of the test's request has the additional claims.
    extraTokenClaims: (ctx) => JSON.parse(ctx.get('x-claims')),
    ttl: { ClientCredentials: 600 },
    enabledJWA: { idTokenSigningAlgValues: [keys[0].alg] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: '',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: keys[0].alg } },
        }),
      },
    },
  }).callback();

let answer = providerWith(start.keys);
server.on('request', (request, response) => {
  paths.push(request.url ?? '');
  return answer(request, response);
});

process.on('message', (message: ProviderMessage) => {
  if (message !== 'paths') answer = providerWith(message.keys);
  process.send?.(paths);
});
process.once('disconnect', () => process.exit());

console.log(issuer);
