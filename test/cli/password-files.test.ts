import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseSettings } from '../../src/cli/inputs/database-settings.ts';
import { sourceAddresses } from '../../src/cli/inputs/import-sources.ts';
import { readSettings } from '../../src/cli/inputs/settings.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-passwords-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** The database's password and the address of a source, both with the password from a file with this text. */
async function passwordsOf(text: string) {
  const file = join(home, 'password');
  await writeFile(file, text);
  const settings = readSettings({}, { DATABASE_PASSWORD_FILE: file });
  const url = 'postgres://reader@localhost/shop?table=orders';
  const [source] = await sourceAddresses([url], { sourcePasswordFile: file });
  return [(await databaseSettings(settings)).password, source];
}

test.each([
  ['secret', 'secret'],
  ['secret\n', 'secret'],
  ['secret\r\n', 'secret'],
  ['secret \t\n', 'secret \t'],
  ['secret\n\n', 'secret\n'],
])('the password in a file with %j is %j, for servers and for sources', async (text, password) => {
  expect(await passwordsOf(text)).toEqual([password, expect.objectContaining({ password })]);
});

test('an unreadable password file is refused with the name of its setting', async () => {
  const settings = readSettings({}, { DATABASE_PASSWORD_FILE: '/none' });
  const message = 'The password file /none cannot be read: ENOENT.';
  const next = (named: string) => `Set ${named} to a file that this user can read.`;
  const ofServer = databaseSettings(settings);
  await expect(ofServer).rejects.toMatchObject({ message, next: next('DATABASE_PASSWORD_FILE') });
  const ofSource = sourceAddresses([], { sourcePasswordFile: '/none' });
  await expect(ofSource).rejects.toMatchObject({ message, next: next('--source-password-file') });
});
