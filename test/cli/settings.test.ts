import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newZoneNotice, settleTimeZone } from '../../src/cli/inputs/new-time-zone.ts';
import { readSettings, SETTING_NAMES, SETTINGS, setting } from '../../src/cli/inputs/settings.ts';
import { withoutPassword } from '../../src/cli/inputs/shown-settings.ts';
import { readDatabaseUrl } from '../../src/database/database-url.ts';
import { runCommand } from '../support/programs/command.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-settings-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const run = async (args: readonly string[], environment: Record<string, string> = {}) =>
  await runCommand(args, { directory: home, environment });

/** The lines of `check`, as the value and the source of each setting. */
function settingsIn(output: string) {
  const lines = output.split('\n').map((line) => line.split('\t'));
  return Object.fromEntries(lines.map(([setting, value, from]) => [setting, [value, from]]));
}

const settingsShown = async (args: readonly string[], environment: Record<string, string> = {}) =>
  settingsIn((await run(['check', ...args], environment)).output);

test('check shows every setting with its value and origin', async () => {
  const shown = await settingsShown([]);
  for (const name of SETTING_NAMES) {
    const { env, fallback } = setting(name);
    const value = fallback === undefined ? 'not set' : fallback === '' ? '(empty)' : fallback;
    expect(shown[env]).toEqual([value, 'default']);
  }
});

test('a flag takes precedence over the environment, and the environment over the default', async () => {
  const environment = { PORT: '4000', HOST: '0.0.0.0', TIMEZONE: '' };
  expect(await settingsShown(['--port', '5000'], environment)).toMatchObject({
    PORT: ['5000', 'flag'],
    HOST: ['0.0.0.0', 'environment'],
    TIMEZONE: ['not set', 'default'],
    BASE_PATH: ['(empty)', 'default'],
  });
});

test('check says that there is no database, and creates none', async () => {
  const { code, output } = await run(['check'], { TIMEZONE: 'Europe/Paris' });
  expect(code).toBe(0);
  expect(output).toContain('There is no database in');
  expect(output).toContain('with the time zone Europe/Paris, which cannot be changed later.');
  expect(await readdir(home)).toEqual([]);
});

test('all invalid settings are reported at once, each by its flag or variable', async () => {
  const { code, output, errors } = await run(['serve', '--port', '70000'], {
    TIMEZONE: 'Paris',
    CURRENCY: 'euro',
    LOG_LEVEL: 'loud',
    BASE_PATH: 'reporting',
    SHUTDOWN_GRACE: '1m',
    REQUESTS_PER_MINUTE: 'many',
    CONCURRENT_DOWNLOADS: '-1',
    MEMORY_CACHE: '256MB',
    REDIS_URL: 'redis.example:6379',
    PUBLIC_URL: 'https://reports.example.com/?x=1',
    TRUSTED_PROXIES: '10.0.0.0/8 10.0.0.1',
    CORS_ORIGINS: 'https://dashboard.example, https://dashboard.example/reports',
    OIDC_ISSUER: 'issuer.example',
  });
  expect([code, output]).toEqual([1, '']);
  const faults = [
    'TIMEZONE must be a time zone of the IANA database, such as Europe/Paris.',
    'CURRENCY must be a currency code of ISO 4217, such as EUR (did you mean EUR?).',
    '--port must be a port number from 0 to 65535.',
    'BASE_PATH must begin with a slash and contain only the letters A-Z and a-z, digits, slashes and - . _ ~, such as /reporting.',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    'SHUTDOWN_GRACE must be a whole number of seconds from 0 to 99999.',
    'REQUESTS_PER_MINUTE must be a whole number of at most 9 digits; 0 means no limit.',
    'CONCURRENT_DOWNLOADS must be a whole number of at most 9 digits; 0 means no limit.',
    'MEMORY_CACHE must be a number of bytes such as 256MiB or 1GiB; 0 switches it off.',
    'REDIS_URL must be a URL such as redis://host:6379/0, or rediss:// for TLS.',
    'PUBLIC_URL must be a URL such as https://reports.example.com: its host in lower case, without a user, a default port, a query or a fragment.',
    'TRUSTED_PROXIES must contain addresses or ranges such as 192.0.2.10 and 10.0.0.0/8, or the names loopback, linklocal, uniquelocal, all separated by commas; a range of all addresses such as 0.0.0.0/0 is refused.',
    'CORS_ORIGINS must contain origins such as https://reports.example.com, separated by commas: in lower case, without a path, a slash at the end or a default port.',
    'OIDC_ISSUER must be a URL that begins with https:// or http://.',
  ];
  for (const fault of faults) expect(errors).toContain(fault);
  expect(errors).toMatch(/See all settings with: transactions check\n$/);
});

// Only in the full run. In `npm test`, the test above covers the function that reports invalid settings.
test.runIf(IS_FULL)('settings that belong together are required together', async () => {
  const { errors } = await run(['serve'], { OIDC_AUDIENCE: 'reports' });
  expect(errors).toContain('OIDC_ISSUER and OIDC_AUDIENCE must be set together.');
});

test('the public URL must have the base path', async () => {
  const environment = { PUBLIC_URL: 'https://reports.example.com/', BASE_PATH: '/reporting' };
  const { errors } = await run([fullOrShort('serve', 'check')], environment);
  expect(errors).toContain('PUBLIC_URL must end with BASE_PATH, which is /reporting.');
  const publicUrl = 'https://reports.example.com/reporting';
  expect(readSettings({}, { ...environment, PUBLIC_URL: `${publicUrl}/` }).publicUrl).toBe(
    publicUrl,
  );
});

test('commands refuse invalid settings', async () => {
  for (const args of everyNth([['check'], ['token', 'list'], ['migrate'], ['demo']], 4, 1)) {
    const { code, errors } = await run(args, { TIMEZONE: 'Nowhere' });
    expect([code, errors]).toEqual([1, expect.stringContaining('TIMEZONE must be a time zone')]);
  }
});

const WRONG_DATABASES = [
  ['chdb:', 'The database URL is invalid'],
  ['chbd:./data', 'Did you mean "chdb"?'],
  ['./data', 'The database URL is invalid'],
  ['clickhouse://host', 'must name a host and a database'],
  ['clickhouse://user:p@ss@host/db', 'written %40'],
  ['clickhouse://user:100%@host/db', 'The database URL is invalid'],
  ['postgres://localhost/x', 'The database URL is invalid'],
] as const;

test.each(everyNth(WRONG_DATABASES, 7, 4))(
  'the database %s is refused with an example of a valid URL',
  async (url, message) => {
    const { code, errors } = await run(['token', 'list', '--database', url]);
    expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
    expect(errors).toContain('--database chdb:./data');
    expect(errors).not.toMatch(/p@ss|100%/);
  },
);

test.each(WRONG_DATABASES)('the database %s cannot be read', (url, message) => {
  expect(() => readDatabaseUrl(url)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      next: expect.stringContaining('--database chdb:./data'),
    }),
  );
});

test('the time zone of a database is fixed when it is created', async () => {
  const database = ['--database', 'chdb:./zone'];
  expect((await run(['migrate', ...database], { TIMEZONE: 'Europe/Paris' })).code).toBe(0);
  const { output } = await run(['check', ...database]);
  expect(output).toContain(
    'The database responds and matches these settings.\nIts time zone is Europe/Paris, which cannot be changed.\nNothing was imported yet.',
  );
  expect(settingsIn(output)).toMatchObject({ TIMEZONE: ['Europe/Paris', 'database'] });
  const { code, errors } = await run(['check', ...database], { TIMEZONE: 'UTC' });
  expect(code).toBe(1);
  expect(errors).toContain('created for the time zone Europe/Paris, but TIMEZONE is UTC');
  expect(errors).toContain('Set TIMEZONE=Europe/Paris or leave it out');
});

// Only in the full run. In `npm test`, the next test sees the same notice of another command.
test.runIf(IS_FULL)(
  'the first import says the time zone of the new database, or takes the one that is chosen',
  async () => {
    await writeFile(join(home, 'programs.csv'), 'id,name\n1,One\n');
    const importing = ['directory', 'import', 'programs.csv', '--of', 'programs', '--database'];
    expect((await run([...importing, 'chdb:./utc'])).errors).toBe(
      'The time zone of this database is UTC, and it cannot be changed later. To use another one, delete the database and start again with --time-zone Europe/Paris.\n',
    );
    const chosen = [...importing, 'chdb:./paris', '--time-zone', 'europe/paris'];
    expect((await run(chosen)).errors).toBe('');
    expect((await run([...importing, 'chdb:./paris'])).errors).toBe('');
    const { output } = await run(['check', '--database', 'chdb:./paris']);
    expect(output).toContain('Its time zone is Europe/Paris, which cannot be changed.');
    expect(output).toMatch(/The last import ended at \d{4}-\d\d-\d\dT[\d:]{8}Z, \d+ \w+ ago\./);
  },
);

const CREATING: readonly (readonly [readonly string[], string])[] = [
  [['token', 'list'], 'TIMEZONE=Europe/Paris'],
  [['migrate'], '--time-zone Europe/Paris'],
];

test.each(everyNth(CREATING, 2))(
  '%j says the time zone of the database that it creates, once',
  async (command, choice) => {
    const database = ['--database', `chdb:./by-${command[0]}`];
    const notice = `The time zone of this database is UTC, and it cannot be changed later. To use another one, delete the database and start again with ${choice}.\n`;
    expect((await run([...command, ...database])).errors).toBe(notice);
    expect((await run([...command, ...database])).errors).toBe('');
  },
);

test('a service that creates its database logs the time zone', () => {
  const settings = { database: `chdb:${join(home, 'by-serve')}`, timeZone: undefined };
  const notice =
    'The time zone of this database is UTC, and it cannot be changed later. To use another one, delete the database and start again with --time-zone Europe/Paris.';
  expect(newZoneNotice(settings)).toBe(notice);
  expect(newZoneNotice({ ...settings, timeZone: 'UTC' })).toBeUndefined();
});

test.each([
  ['europe/paris', 'Europe/Paris'],
  ['', 'UTC'],
])('in a terminal, the answer %j chooses the time zone %s', async (answer, timeZone) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = { input, output, isTerminal: () => true };
  input.end(`${answer}\n`);
  const settings = { database: `chdb:${join(home, 'nothing')}`, timeZone: undefined };
  expect(await settleTimeZone(settings, terminal)).toMatchObject({ timeZone });
  expect(String(output.read())).toContain(
    'Time zone in which days begin (it cannot be changed later), such as Europe/Paris.',
  );
});

test('names of time zones are case-insensitive, and stored in canonical form', () => {
  expect(readSettings({}, { TIMEZONE: 'europe/paris' }).timeZone).toBe('Europe/Paris');
});

test.each([
  ['eur', ' (did you mean EUR?)'],
  ['€', ' (did you mean EUR?)'],
  ['US Dollar', ' (did you mean USD?)'],
  ['GBX', ' (did you mean GBP?)'],
  ['42', ''],
])('the currency "%s" is refused', (text, suggestion) => {
  expect(() => SETTINGS.currency.read(text)).toThrow(
    `must be a currency code of ISO 4217, such as EUR${suggestion}`,
  );
});

test('check shows the currency', async () => {
  expect(await settingsShown([], { CURRENCY: 'CHF' })).toMatchObject({
    CURRENCY: ['CHF', 'environment'],
  });
});

test('a password in the database’s URL is not shown', async () => {
  const { output, errors } = await run(['check'], {
    DATABASE_URL: 'clickhouse://reader:s3cret:p@ss@127.0.0.1:1/reports',
  });
  expect(output).toContain('clickhouse://reader:***@127.0.0.1:1/reports');
  expect(output + errors).not.toMatch(/s3cret|p@ss/);
});

test.each([
  'redis://:s3cret@127.0.0.1:6379/0',
  'redis://user:s3cret@127.0.0.1',
  'redis://127.0.0.1/?password=s3cret',
  'redis//:s3cret@127.0.0.1',
  's3cret',
])('a password in the URL of Redis, right or wrong, is not shown: %s', async (url) => {
  const { output, errors } = await run(['check'], { REDIS_URL: url });
  expect(output).toContain('REDIS_URL');
  expect(output + errors).not.toContain('s3cret');
});

test.each([
  ['', []],
  [' https://a.example ,http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ['https://a.example,https://a.example', ['https://a.example']],
])('"%s" is parsed to the origins %j', (text, origins) => {
  expect(SETTINGS.corsOrigins.read(text)).toEqual(origins);
});

test.each([
  '*',
  'null',
  'a.example',
  'https://*.a.example',
  'https://a.example/',
  'https://a.example/page',
  'https://A.example',
  'https://a.example:443',
  'https://user@a.example',
  'https://a.example,',
  'file:///',
  'https://a.example https://b.example',
])('"%s" is not a valid list of origins', (text) => {
  expect(() => SETTINGS.corsOrigins.read(text)).toThrow('must contain origins');
});

test.each([
  ['clickhouse://user:secret@host:8123/db', 'clickhouse://user:***@host:8123/db'],
  ['clickhouse://user:se:cr@et@host', 'clickhouse://user:***@host'],
  ['clickhouse://:secret@host', 'clickhouse://:***@host'],
  ['clickhouse://user@host:8123/db', 'clickhouse://user@host:8123/db'],
  ['clickhouse://host:8123/db', 'clickhouse://host:8123/db'],
  ['clickhouse://one:8123,[2001:db8::1]:8124/db', 'clickhouse://one:8123,[2001:db8::1]:8124/db'],
  ['redis://127.0.0.1:6379/0', 'redis://127.0.0.1:6379/0'],
  ['chdb:./data', 'chdb:./data'],
  ['chdb:/srv/me@work/data', 'chdb:/srv/me@work/data'],
  ['user:secret@host:8123/db', '***'],
  ['clickhouse:/user:secret@host:8123/db', '***'],
  ['clickhouse://us/er:secret@host:8123/db', '***'],
  ['clickhouse://user:secret', '***'],
  ['clickhouse://host:8123/db?user=u&password=secret', '***'],
  ['clickhouse://host?password=secret', '***'],
  ['secret', '***'],
])('the URL %s is shown as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
