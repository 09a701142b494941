import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from '../support/programs/page-commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

const CONTAINER = v.looseObject({
  image: v.string(),
  user: v.string(),
  read_only: v.literal(true),
  cap_drop: v.tuple([v.literal('ALL')]),
  security_opt: v.tuple([v.literal('no-new-privileges:true')]),
  privileged: v.optional(v.literal(false)),
  cap_add: v.optional(v.never()),
  network_mode: v.optional(v.never()),
  ports: v.optional(v.array(v.pipe(v.string(), v.startsWith('127.0.0.1:')))),
});

/** Files only: Docker refuses to write any other source into a container that is read-only. */
const MOUNTED = v.record(v.string(), v.strictObject({ file: v.string() }));

const COMPOSE = v.looseObject({
  services: v.record(v.string(), CONTAINER),
  secrets: MOUNTED,
  configs: MOUNTED,
});

const yaml: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');
const compose = yaml.load(textOf('compose.yaml'));
const { services, secrets, configs } = v.parse(COMPOSE, compose);

test('compose.yaml follows the Compose Specification', () => {
  // From https://github.com/compose-spec/compose-spec, schema/compose-spec.json.
  const { $schema: _, ...schema } = JSON.parse(textOf('test/deployment/compose-spec.json'));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  expect([validate(compose), validate.errors]).toEqual([true, null]);
});

test('compose.yaml confines every container, and pins every image', () => {
  expect(Object.keys(services)).toHaveLength(8);
  for (const [name, { image, user }] of Object.entries(services)) {
    expect([name, user]).toEqual([name, expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    expect(image).toMatch(/^[\w/-]+:\d+\.\d+\.\d+/);
  }
});

test('the service connects to the servers by TLS, and none of their ports is published', () => {
  expect(services.transactions?.environment).toMatchObject({
    DATABASE_URL: expect.stringMatching(/^clickhouses:.*:8443/),
    NODE_EXTRA_CA_CERTS: expect.stringContaining('/run/secrets/'),
  });
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([name]) => name)).toEqual(['transactions']);
  expect(textOf(configs.tls?.file ?? '')).toContain('<http_port remove="1"/>');
});

test('the service has the time that the page on containers gives it to stop', () => {
  const page = textOf('docs/how-to/run-in-a-container.md');
  const [, seconds] = /docker stop --time (\d+)/.exec(page) ?? [];
  expect(services.transactions?.stop_grace_period).toBe(`${seconds}s`);
  const [, grace] =
    /`SHUTDOWN_GRACE` \|[^|]*\| `(\d+)` \|/.exec(textOf('docs/reference/settings.md')) ?? [];
  expect(Number(seconds)).toBeGreaterThan(Number(grace) + 5);
});

test('every server that a configuration names is a container', () => {
  const texts = Object.values(configs).map(({ file }) => textOf(file));
  const named = texts.flatMap((text) => [...text.matchAll(/<(host|hostname)>([^<]+)<\/\1>/g)]);
  const servers = Object.keys(services).filter((name) => name !== 'transactions');
  expect(new Set(named.map(([, , name]) => name))).toEqual(new Set(servers));
});

test('the commands of the page make every secret that compose.yaml names, and no other user can read them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compose-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const page = textOf('docs/how-to/run-on-a-cluster.md');
  const [, script = ''] = /```\n(mkdir [\s\S]*?)```/.exec(page) ?? [];
  const { status, stderr } = await runScript(`umask 077\n${script}`, folder);
  expect(status, stderr).toBe(0);

  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
  const paths = Object.values(secrets).map(({ file }) => file);
  expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(paths.map(modeOf)).toEqual(paths.map(() => 0o644));
  expect([modeOf('secrets'), modeOf('.env')]).toEqual([0o700, 0o600]);

  const variables = [...textOf('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const given = [...(await readFile(join(folder, '.env'), 'utf8')).matchAll(/^(\w+)=\w+$/gm)];
  expect(given.map(([, name]) => name)).toEqual([...new Set(variables)]);

  const certificate = new X509Certificate(await readFile(join(folder, 'secrets/server.pem')));
  const authority = new X509Certificate(await readFile(join(folder, 'secrets/authority.pem')));
  expect(certificate.checkIssued(authority)).toBe(true);
  const servers = Object.keys(services).filter((name) => name.startsWith('clickhouse-'));
  expect(servers.map((name) => certificate.checkHost(name))).toEqual(servers);
});

test('the page imports into the cluster of compose.yaml and creates its token in containers', () => {
  const page = textOf('docs/how-to/run-on-a-cluster.md');
  const commands = [...page.matchAll(/^docker compose run --rm (?:-T )?(\S+) (\w+)/gm)];
  expect(commands.map(([, service, command]) => [service, command])).toEqual([
    ['transactions', 'migrate'],
    ['transactions', 'import'],
    ['transactions', 'token'],
  ]);
});

test('git ignores the secrets', () => {
  const ignored = textOf('.gitignore').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['/secrets/', '/.env']));
});
