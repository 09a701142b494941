import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const ROOT = new URL('../../', import.meta.url);

const textOf = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');

const LOCK = JSON.parse(textOf('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The downloaded packages, one for each folder, without the project and its workspaces. */
const FETCHED = Object.entries(LOCK.packages)
  .filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
  .map(([folder, facts]) => ({ ...facts, name: folder.replace(/^.*node_modules\//, '') }));

type Fetched = (typeof FETCHED)[number];

const namesOf = (isMeant: (one: Fetched) => boolean): readonly string[] =>
  FETCHED.filter(isMeant).map(({ name }) => name);

const isFor = (allowed: readonly string[] | undefined, own: string): boolean =>
  allowed?.includes(own) ?? true;

/** The packages that `npm ci` installs on the most common platform, Linux (glibc) on x64. */
const INSTALLED = FETCHED.filter(
  ({ dev, os, cpu, libc }) =>
    dev !== true && isFor(os, 'linux') && isFor(cpu, 'x64') && isFor(libc, 'glibc'),
);

/** Platform packages without a hash: the registry did not serve them when the lock file was written. */
const WITHOUT_INTEGRITY = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@chdb/lib-darwin-arm64',
  '@chdb/lib-darwin-x64',
  '@chdb/lib-linux-arm64-gnu',
  '@duckdb/node-bindings-darwin-arm64',
  '@duckdb/node-bindings-darwin-x64',
  '@duckdb/node-bindings-linux-arm64',
  '@duckdb/node-bindings-linux-arm64-musl',
  '@duckdb/node-bindings-win32-arm64',
  '@duckdb/node-bindings-win32-x64',
];

test('every package that the registry serves is locked by a hash', () => {
  expect(namesOf(({ integrity }) => integrity === undefined)).toEqual(WITHOUT_INTEGRITY);
});

test('the lock file names no host', () => {
  expect(namesOf(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('every install script is switched off by name, so npm asks about none', () => {
  const scripted = namesOf(({ hasInstallScript }) => hasInstallScript === true);
  expect(manifest.allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
});

test('no package has the name of one that sends telemetry', () => {
  // prom-client depends on this interface, which sends nothing without another package.
  const silent = ['@opentelemetry/api'];
  expect(namesOf(({ name }) => /scarf|telemetry|analytics/.test(name))).toEqual(silent);
});

test('the Node.js of the service is locked for every platform of the embedded engine', () => {
  const platformOf = ({ os, cpu }: Fetched) => `${os} ${cpu}`;
  const engines = FETCHED.filter(({ name }) => name.startsWith('@chdb/lib-'));
  const runtimes = FETCHED.filter(({ name }) =>
    /^node-(?:bin-)?(?:linux|darwin)-(?:x64|arm64)$/.test(name),
  );
  expect(runtimes.map(platformOf).sort()).toEqual(engines.map(platformOf).sort());
  for (const { name, version, integrity } of runtimes) {
    expect([name, version, integrity]).toEqual([
      name,
      process.versions.node,
      expect.stringMatching(/^sha512-/),
    ]);
  }
});

/** Whether a range of versions has 20.19, the oldest Node.js whose npm installs the service. */
const hasOldestNode = (range: string): boolean =>
  range.split('||').some((part) => {
    if (part.trim() === '*') return true;
    const [, operator = '', major = '', minor = '0'] =
      /^\s*([\^~>=]*)\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? [];
    if (Number(major) === 20) return Number(minor) <= 19;
    return operator === '>=' && Number(major) < 20;
  });

test('npm ci warns of no package on the oldest Node.js that the README names', () => {
  expect(manifest.engines.node).toBe('>=20.19');
  expect(textOf('README.md')).toContain('Node.js 20.19 or newer');
  const warned = INSTALLED.filter(({ engines }) => !hasOldestNode(engines?.node ?? '>=0'));
  expect(warned.map(({ name, engines }) => `${name} ${engines?.node}`)).toEqual([]);
});

test('npm ci does not install development dependencies', () => {
  expect(textOf('.npmrc')).toMatch(/^omit=dev$/m);
  const installed = INSTALLED.map(({ name }) => name);
  const ofDevelopers = Object.keys(manifest.devDependencies);
  // Fastify depends on ajv too.
  expect(ofDevelopers.filter((name) => installed.includes(name))).toEqual(['ajv']);
  expect(installed.length).toBeLessThanOrEqual(136);
});
