import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  type ClaimNames,
  DEFAULT_CLAIM_NAMES,
  readPrincipal,
} from '../../../src/auth/oidc/oidc-claims.ts';
import { Problem } from '../../../src/contract/problems/problems.ts';
import { fc, runCount } from '../../support/run/properties.ts';

const EXP = 2_000_000_000;
const AFFILIATE = { sub: 'someone', exp: EXP, role: 'affiliate', publisher_ids: [7] };
const ADMIN = { sub: 'someone', exp: EXP, role: 'admin' };

const principalOf = (claims: object, names: Partial<ClaimNames> = {}) =>
  readPrincipal({ ...claims }, { ...DEFAULT_CLAIM_NAMES, ...names });

function refusalOf(claims: object, names: Partial<ClaimNames> = {}): Problem {
  try {
    principalOf(claims, names);
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
  throw new Error('The claims are accepted.');
}

const WRONG_ROLES = [
  undefined,
  null,
  '',
  'Admin',
  'admin ',
  'admin affiliate',
  'root',
  [],
  ['viewer'],
  ['admin', 'affiliate'],
  [['admin']],
  { admin: true },
  { 0: 'admin', length: 1 },
  true,
];

test.each(WRONG_ROLES.map((role) => ({ role })))('the role $role is refused', ({ role }) => {
  expect(refusalOf({ ...ADMIN, role }).code).toBe('token_invalid');
});

const WRONG_IDENTIFIERS = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  '',
  ' 1',
  '-1',
  '1.0',
  '007',
  '1e3',
  '0x1f',
  '٣',
  '1,2',
  '1 2',
  '9007199254740992',
  '9'.repeat(4000),
  {},
  [[1]],
  [1, null],
  [1, 'all'],
  'all',
];

test.each(WRONG_IDENTIFIERS.map((identifiers) => ({ identifiers })))(
  'websites and programs given as $identifiers are refused',
  ({ identifiers }) => {
    expect(refusalOf({ ...AFFILIATE, publisher_ids: identifiers }).code).toBe('token_invalid');
    expect(refusalOf({ ...AFFILIATE, program_ids: identifiers }).code).toBe('token_invalid');
    expect(refusalOf({ ...ADMIN, program_ids: identifiers }).code).toBe('token_invalid');
  },
);

test('an identifier may be a number or a text of digits', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.maxSafeNat(), { minLength: 1 }), (ids) => {
      const texts = ids.map(String);
      expect(principalOf({ ...AFFILIATE, publisher_ids: ids }).publisherIds).toEqual(ids);
      expect(principalOf({ ...AFFILIATE, publisher_ids: texts }).publisherIds).toEqual(ids);
      expect(principalOf({ ...ADMIN, program_ids: texts }).programIds).toEqual(ids);
    }),
  );
});

test.each([[], [7], '7', null])(
  'an admin with the websites %j is refused instead of seeing all',
  (ids) => {
    expect(refusalOf({ ...ADMIN, publisher_ids: ids }).code).toBe('token_invalid');
  },
);

test.each([undefined, '', 7, null])('the subject %j is refused', (sub) => {
  expect(refusalOf({ ...ADMIN, sub }).code).toBe('token_invalid');
});

test.each([undefined, 1e300, Infinity])('the invalid expiry %j is refused', (exp) => {
  expect(refusalOf({ ...ADMIN, exp }).code).toBe('token_invalid');
});

test('a claim with the whole name takes precedence over a nested one', () => {
  const claims = { ...ADMIN, role: undefined, 'a.role': 'admin', a: { role: 'affiliate' } };
  expect(principalOf(claims, { roleClaim: 'a.role' }).role).toBe('admin');
});

test('a missing nested claim of programs means all programs only if its parent is missing or an object', () => {
  const names = { programsClaim: 'acme.programs' };
  expect(principalOf({ ...ADMIN }, names).programIds).toBe('all');
  expect(principalOf({ ...ADMIN, acme: {} }, names).programIds).toBe('all');
  expect(principalOf({ ...ADMIN, acme: { programs: [3] } }, names).programIds).toEqual([3]);
  for (const acme of [null, 'programs', 3, [{ programs: [3] }]])
    expect(refusalOf({ ...ADMIN, acme }, names).code).toBe('token_invalid');
});

test('inherited properties of objects are not claims', () => {
  expect(principalOf(ADMIN, { programsClaim: 'constructor.length' }).programIds).toBe('all');
  expect(principalOf(ADMIN, { programsClaim: '__proto__' }).programIds).toBe('all');
});

test('any claims give a principal with the scope of its role, or the problem token_invalid', () => {
  const claim = fc.oneof(fc.jsonValue(), fc.constantFrom('admin', 'affiliate', 7, '7'));
  const claims = fc.record(
    {
      sub: claim,
      exp: claim,
      role: claim,
      publisher_ids: claim,
      program_ids: claim,
      locale: claim,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(claims, (record) => {
      try {
        const { role, publisherIds } = principalOf(record);
        expect(publisherIds === 'all').toBe(role === 'admin');
        expect(publisherIds).not.toEqual([]);
      } catch (problem) {
        expect(problem).toMatchObject({ code: 'token_invalid' });
      }
    }),
    { numRuns: runCount(2000) },
  );
});

test('a refusal does not repeat the values of claims', () => {
  const wrong = [
    { ...ADMIN, role: 'SECRET' },
    { ...ADMIN, sub: ['SECRET'] },
    { ...ADMIN, exp: 'SECRET' },
    { ...AFFILIATE, publisher_ids: 'SECRET' },
  ];
  for (const claims of wrong)
    expect(inspect(refusalOf(claims), { depth: null })).not.toContain('SECRET');
});
