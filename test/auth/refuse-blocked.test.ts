import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import { refuseBlocked } from '../../src/auth/refuse-blocked.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A verifier that takes the text of a token as its subject, and the list of blocked subjects. */
function verifierWithList() {
  const list = { subjects: ['blocked'], lookups: 0, isFailing: false };
  const verify = async (jwt: string): Promise<Principal> => ({
    id: jwt,
    role: 'admin',
    publisherIds: 'all',
    programIds: 'all',
  });
  const findBlocked = async () => {
    list.lookups += 1;
    if (list.isFailing) throw new Error('The database does not answer.');
    return list.subjects.map((subject) => ({ subject }));
  };
  return { list, verify: refuseBlocked(verify, findBlocked) };
}

const refused = { code: 'token_revoked' };

test('only tokens of blocked subjects are refused, with one lookup for many', async () => {
  const { list, verify } = verifierWithList();
  await expect(verify('blocked')).rejects.toMatchObject(refused);
  const others = Array.from({ length: 100 }, async (_, at) => (await verify(`user ${at}`)).id);
  expect((await Promise.all(others)).length).toBe(100);
  expect(list.lookups).toBe(1);
});

test('a subject is refused and accepted again within five seconds', async () => {
  const { list, verify } = verifierWithList();
  await expect(verify('someone')).resolves.toMatchObject({ id: 'someone' });
  list.subjects.push('someone');
  vi.advanceTimersByTime(5000);
  await expect(verify('someone')).rejects.toMatchObject(refused);
  list.subjects.pop();
  vi.advanceTimersByTime(5000);
  await expect(verify('someone')).resolves.toMatchObject({ id: 'someone' });
});

test('while the list cannot be read nobody is accepted, and every request tries again', async () => {
  const { list, verify } = verifierWithList();
  list.isFailing = true;
  await expect(verify('someone')).rejects.toThrow('does not answer');
  list.isFailing = false;
  await expect(verify('someone')).resolves.toMatchObject({ id: 'someone' });
});
