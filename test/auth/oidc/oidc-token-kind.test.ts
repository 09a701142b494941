import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, adminClaims, forgedToken, verifierOf } from './oidc-fixtures.ts';
import { type RunningProvider, signingKey, startProvider } from './oidc-provider.ts';

const KEY = await signingKey('first');
const DAY = 86_400;

let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider(KEY);
});
afterAll(() => provider.close());

const tokenWith = async (claims: object, header: object = {}) =>
  await forgedToken(KEY, { ...adminClaims(provider.issuer), ...claims }, header);

const refused = async (token: string, maxLifetime = DAY) =>
  await expect(verifierOf(provider.issuer, { maxLifetime })(token)).rejects.toMatchObject({
    code: 'token_invalid',
  });

const accepted = async (token: string, maxLifetime = DAY) =>
  await expect(verifierOf(provider.issuer, { maxLifetime })(token)).resolves.toMatchObject(ADMIN);

const now = () => Math.floor(Date.now() / 1000);

test.each([
  ['JWT', { cnf: { jkt: 'thumbprint' } }],
  ['at+jwt', { cnf: { jkt: 'thumbprint' } }],
  ['at+jwt', { cnf: { 'x5t#S256': 'thumbprint' } }],
])('a %s that is bound to a key is refused: %j', async (typ, claims) => {
  await refused(await tokenWith(claims, { typ }));
});

test.each([
  { nonce: 'n-0S6_WzA2Mj' },
  { at_hash: '77QmUPtjPfzWtF2AnpK9RQ' },
  { c_hash: 'LDktKdoQak3Pk0cnXxCltA' },
  { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  { typ: 'ID' },
  { typ: 'Refresh' },
  { token_use: 'id' },
  { token_use: ['access'] },
])('a token whose claims show that it is no access token is refused: %j', async (claims) => {
  await refused(await tokenWith(claims, { typ: 'JWT' }));
  await refused(await tokenWith(claims));
});

test.each([{ typ: 'Bearer' }, { token_use: 'access' }, { azp: 'someone', scope: 'openid' }])(
  'an access token of a provider that does not know RFC 9068 is accepted: %j',
  async (claims) => {
    await accepted(await tokenWith(claims, { typ: 'JWT' }));
  },
);

test('the type at+jwt suffices, whatever further claims the provider adds', async () => {
  await accepted(await tokenWith({ nonce: 'n-0S6_WzA2Mj' }, { typ: 'at+jwt' }));
});

test.each([
  ['in 50 years', { exp: now() + 50 * 365 * DAY }],
  ['two days after its iat', { iat: now() - DAY, exp: now() + DAY }],
  ['in a year, with an iat in a year', { iat: now() + 364 * DAY, exp: now() + 365 * DAY }],
])('a token that expires %s is refused', async (_when, claims) => {
  await refused(await tokenWith(claims));
});

test('a token may have the longest allowed lifetime, and any lifetime if there is no limit', async () => {
  await accepted(await tokenWith({ iat: now() - 60, exp: now() - 60 + DAY }));
  await accepted(await tokenWith({ exp: now() + 50 * 365 * DAY }), 0);
  await refused(await tokenWith({ iat: now() - 60, exp: now() + 60 }), 100);
});

test('the clock of the provider may be some seconds ahead', async () => {
  const issued = now() + 4;
  await accepted(await tokenWith({ iat: issued, exp: issued + DAY }));
  await refused(await tokenWith({ iat: issued + 60, exp: issued + 60 + DAY }));
});
