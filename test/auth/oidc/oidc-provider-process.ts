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

/** A page that is a public client of the provider, and the claims of users who sign in there. */
export interface ProviderPage {
  readonly address: string;
  readonly claims: object;
  /** How long an access token is valid. */
  readonly seconds: number;
}

/** A message from the test: new keys, a page, or `paths`, which asks for the paths of all requests so far. */
export type ProviderMessage = { readonly keys: Keys } | { readonly page: ProviderPage } | 'paths';

const start: Start = JSON.parse(process.argv[2] ?? '');
const paths: string[] = [];

const server = createServer();
await new Promise<void>((listening) => server.listen(start.port, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Lifetime of tokens in seconds, longer than a test. Access tokens of a page have their own. */
const LONG = 600;

const clientOf = ({ address }: ProviderPage) =>
  ({
    client_id: 'page',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [address],
    post_logout_redirect_uris: [address],
    response_types: ['code'],
  }) as const;

/** The first of the keys signs; all of them are published. */
const providerWith = (keys: Keys, page?: ProviderPage) =>
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
      ...(page === undefined
        ? []
        : [{ ...clientOf(page), id_token_signed_response_alg: keys[0].alg }]),
    ],
    // Without a page, the test sends the additional claims in a header.
    extraTokenClaims: (ctx) => (page === undefined ? JSON.parse(ctx.get('x-claims')) : page.claims),
    ttl: {
      ClientCredentials: LONG,
      AccessToken: page?.seconds ?? LONG,
      IdToken: LONG,
      Grant: LONG,
      Session: LONG,
      Interaction: LONG,
      RefreshToken: LONG,
      AuthorizationCode: 60,
    },
    clientBasedCORS: () => true,
    issueRefreshToken: async () => true,
    enabledJWA: { idTokenSigningAlgValues: [keys[0].alg] },
    features: {
      devInteractions: { enabled: page !== undefined },
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
  if (message !== 'paths')
    answer =
      'page' in message ? providerWith(start.keys, message.page) : providerWith(message.keys);
  process.send?.(paths);
});
process.once('disconnect', () => process.exit());

console.log(issuer);
