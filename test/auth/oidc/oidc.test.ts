import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OidcSettings } from '../../../src/auth/oidc/oidc.ts';
import { ADMIN, adminClaims, advanceClock, forgedToken, verifierOf } from './oidc-fixtures.ts';
import { type RunningProvider, signingKey, startProvider } from './oidc-provider.ts';

const KEY = await signingKey('first');
const AFFILIATE = { role: 'affiliate', publisher_ids: [7, 8] };

let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider(KEY);
});
afterAll(() => provider.close());

const verifier = (settings: Partial<OidcSettings> = {}) => verifierOf(provider.issuer, settings);

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a token that the provider issued', () => {
  const ALL = 'all' as const;
  test.each([
    ['an admin', ADMIN, ALL, ALL],
    ['an admin in a list of roles', { role: ['viewer', 'admin'] }, ALL, ALL],
    ['an admin of some programs', { ...ADMIN, program_ids: [1, '2'] }, ALL, [1, 2]],
    ['an admin of no program', { ...ADMIN, program_ids: [] }, ALL, []],
    ['an affiliate', AFFILIATE, [7, 8], ALL],
    ['an affiliate in a list of roles', { ...AFFILIATE, role: ['affiliate'] }, [7, 8], ALL],
    ['websites in digits', { ...AFFILIATE, publisher_ids: ['7', '0'] }, [7, 0], ALL],
    ['one website', { ...AFFILIATE, publisher_ids: 7 }, [7], ALL],
    ['one website in digits', { ...AFFILIATE, publisher_ids: '7' }, [7], ALL],
    ['the greatest website', { ...AFFILIATE, publisher_ids: [2 ** 53 - 1] }, [2 ** 53 - 1], ALL],
    ['an affiliate of some programs', { ...AFFILIATE, program_ids: ['5', 6] }, [7, 8], [5, 6]],
    ['an affiliate of one program', { ...AFFILIATE, program_ids: 5 }, [7, 8], [5]],
    ['an affiliate of no program', { ...AFFILIATE, program_ids: [] }, [7, 8], []],
  ])('authenticates %s', async (_what, claims, publisherIds, programIds) => {
    const role = [claims.role].flat().at(-1);
    const principal = await verifier()(await provider.tokenWith(claims));
    expect(principal).toMatchObject({ id: 'reader', role, publisherIds, programIds });
    expect(principal).not.toHaveProperty('locale');
  });

  test('has its expiry in the principal', async () => {
    const { expiresAt } = await verifier()(await provider.tokenWith(ADMIN));
    expect(Math.abs(Number(expiresAt) - Date.now() - 600_000)).toBeLessThan(5_000);
  });

  test.each([
    ['nl', 'nl'],
    ['en-GB', 'en'],
    ['sv-SE', undefined],
    [7, undefined],
  ])('with the locale %j selects the language %j', async (locale, language) => {
    const principal = await verifier()(await provider.tokenWith({ ...ADMIN, locale }));
    expect(principal.locale).toBe(language);
  });

  test('is read by the claim names that the operator configured', async () => {
    const settings = {
      roleClaim: 'realm_access.roles',
      publishersClaim: 'https://example.com/websites',
      programsClaim: 'acme.tracking.programs',
    };
    const claims = {
      realm_access: { roles: ['offline_access', 'affiliate'] },
      'https://example.com/websites': ['9'],
      acme: { tracking: { programs: [4] } },
      ...ADMIN,
      program_ids: [1],
    };
    const principal = await verifier(settings)(await provider.tokenWith(claims));
    expect(principal).toMatchObject({ role: 'affiliate', publisherIds: [9], programIds: [4] });
  });

  test.each([
    ['an affiliate without websites', { role: 'affiliate' }],
    ['an affiliate with an empty list of websites', { ...AFFILIATE, publisher_ids: [] }],
    ['an admin with websites', { ...AFFILIATE, role: 'admin' }],
    ['no role', {}],
  ])('is refused for %s', async (_what, claims) => {
    const token = await provider.tokenWith(claims);
    await expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('is refused for another audience', async () => {
    const token = await provider.tokenWith(ADMIN, 'https://other.example/api');
    await expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('is refused if it expired more than five seconds ago', async () => {
    const verify = verifier();
    const token = await provider.tokenWith(ADMIN);
    advanceClock(603);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
    advanceClock(4);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  test('is refused until five seconds before it becomes valid', async () => {
    const verify = verifier();
    const token = await provider.tokenWith({ ...ADMIN, nbf: secondsFromNow(60) });
    advanceClock(50);
    await expect(verify(token)).rejects.toMatchObject({ code: 'token_invalid' });
    advanceClock(7);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
  });
});

describe('a token that the provider did not issue', () => {
  const refused = (token: string) =>
    expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });

  test('is accepted if the key and the claims are right, so each refusal below has its own reason', async () => {
    const token = await forgedToken(KEY, adminClaims(provider.issuer));
    await expect(verifier()(token)).resolves.toMatchObject({ id: 'someone', ...ADMIN });
  });

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['no issuer', { iss: undefined }],
    ['no audience', { aud: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry in words', { exp: 'tomorrow' }],
    ['no subject', { sub: undefined }],
    ['an expiry in the past and another audience', { exp: 1, aud: 'https://other.example' }],
  ])('is refused for %s', async (_what, claims) => {
    await refused(
      await forgedToken(KEY, { ...adminClaims(provider.issuer), ...(claims as object) }),
    );
  });

  test.each(['logout+jwt', 'dpop+jwt', 7])('is refused for the type %j', async (typ) => {
    await refused(await forgedToken(KEY, adminClaims(provider.issuer), { typ }));
  });

  test.each(['JWT', 'at+JWT', 'application/at+jwt'])('may have the type %s', async (typ) => {
    const token = await forgedToken(KEY, adminClaims(provider.issuer), { typ });
    await expect(verifier()(token)).resolves.toMatchObject(ADMIN);
  });

  test("is refused if another key signed it, even under the provider's key id", async () => {
    await refused(await forgedToken(await signingKey('first'), adminClaims(provider.issuer)));
    await refused(await forgedToken(await signingKey('unknown'), adminClaims(provider.issuer)));
  });

  test('is refused if a claim was changed after signing', async () => {
    const [header, , signature] = (await provider.tokenWith(AFFILIATE)).split('.');
    const payload = Buffer.from(JSON.stringify(adminClaims(provider.issuer))).toString('base64url');
    await refused([header, payload, signature].join('.'));
  });
});
