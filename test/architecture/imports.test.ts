import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { filesUnder, importedPath, importsOf } from './source-files.ts';

const SOURCES = filesUnder('src');

/** What each folder of src may import of src: folders, or single modules of them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'user-error.ts': [],
  'read-json.ts': [],
  contract: ['contract'],
  pages: ['contract', 'pages'],
  auth: ['contract', 'concurrency', 'auth'],
  plan: ['contract', 'auth/principal.ts', 'concurrency/priority-queue.ts', 'plan'],
  concurrency: ['concurrency'],
  disk: ['disk'],
  limits: ['limits'],
  metrics: ['contract', 'audit/audit-events.ts', 'metrics'],
  audit: [
    'disk/free-buffer.ts',
    'user-error.ts',
    'contract',
    'auth/principal.ts',
    'auth/token-record.ts',
    'plan',
    'engine',
    'schema',
    'audit',
  ],
  monitoring: [
    'contract',
    'audit',
    'auth',
    'plan',
    'concurrency',
    'engine',
    'store',
    'erasure',
    'ingest',
    'backup',
    'control',
    'http/routes/readiness.ts',
    'webhooks',
    'metrics',
    'months',
    'monitoring',
  ],
  engine: ['contract', 'plan', 'concurrency', 'disk', 'engine'],
  schema: ['contract', 'plan', 'engine', 'schema'],
  reading: ['contract', 'plan', 'concurrency', 'disk', 'engine', 'schema', 'reading'],
  months: ['contract', 'plan', 'concurrency', 'disk', 'engine', 'reading', 'months'],
  store: [
    'concurrency',
    'contract',
    'audit/audit-events.ts',
    'auth/access-token.ts',
    'auth/new-token.ts',
    'auth/token-record.ts',
    'plan',
    'engine',
    'schema/topology.ts',
    'schema/values/stored-value.ts',
    'store',
  ],
  backup: [
    'user-error.ts',
    'read-json.ts',
    'contract',
    'plan',
    'engine',
    'schema',
    'ingest',
    'backup',
  ],
  ingest: [
    'user-error.ts',
    'contract',
    'plan',
    'disk',
    'engine',
    'schema',
    'erasure/erased-hashes.ts',
    'erasure/selectors.ts',
    'reading/publication-times.ts',
    'ingest',
  ],
  erasure: [
    'user-error.ts',
    'contract',
    'plan',
    'engine',
    'schema',
    'ingest',
    'disk/command-files.ts',
    'erasure',
  ],
  mcp: ['read-json.ts', 'contract', 'mcp'],
  http: [
    'contract',
    'audit',
    'pages',
    'auth',
    'plan',
    'limits',
    'disk',
    'engine',
    'reading',
    'months',
    'metrics',
    'mcp',
    'webhooks/operations',
    'webhooks/webhook.ts',
    'http',
  ],
  webhooks: [
    'user-error.ts',
    'contract',
    'audit',
    'auth/principal.ts',
    'auth/token-rights.ts',
    'plan',
    'concurrency',
    'engine',
    'schema',
    'reading',
    'store/token-table.ts',
    'metrics',
    'webhooks',
  ],
  database: [
    'user-error.ts',
    'contract',
    'plan',
    'disk',
    'engine',
    'schema',
    'store',
    'erasure',
    'ingest',
    'backup',
    'database',
  ],
  control: [
    'concurrency',
    'user-error.ts',
    'read-json.ts',
    'contract',
    'audit',
    'auth',
    'engine',
    'schema',
    'store',
    'erasure',
    'ingest',
    'backup',
    'webhooks',
    'disk/disk-space.ts',
    'database',
    'control',
  ],
  connectors: [
    'user-error.ts',
    'read-json.ts',
    'contract',
    'plan',
    'engine',
    'ingest',
    'connectors',
  ],
  demo: ['contract', 'demo'],
  'app-settings.ts': ['audit', 'auth', 'http', 'limits'],
  'app-parts.ts': ['audit', 'auth', 'engine', 'http', 'limits', 'metrics', 'webhooks'],
  'app.ts': [
    'app-parts.ts',
    'app-settings.ts',
    'audit',
    'auth',
    'control',
    'database',
    'disk',
    'engine',
    'http',
    'limits',
    'months',
    'metrics',
    'monitoring',
    'reading',
    'store',
    'webhooks',
  ],
  cli: [
    'user-error.ts',
    'read-json.ts',
    'app.ts',
    'audit',
    'contract',
    'auth',
    'plan',
    'engine',
    'erasure',
    'ingest',
    'backup',
    'database',
    'control',
    'connectors',
    'demo',
    'metrics/metric-table.ts',
    'months/thread/page-thread.ts',
    'disk/command-files.ts',
    'disk/disk-space.ts',
    'store/directory-entries.ts',
    'store/last-import.ts',
    'webhooks',
    'cli',
  ],
};

test('one module composes the service, for the commands and for the tests', () => {
  const composing = filesUnder('src', 'test').filter(
    ({ path, text }) =>
      path !== 'test/architecture/imports.test.ts' && /\bbuildServer\(/.test(text),
  );
  expect(composing.map(({ path }) => path)).toEqual(['src/app.ts', 'src/http/server.ts']);
});

const CLIENT = filesUnder('client/src');

const folderOf = (path: string): string => path.split('/')[1] ?? '';

const isRelative = (name: string): boolean => name.startsWith('.');

const isWithin = (path: string, place: string): boolean =>
  path === `src/${place}` || path.startsWith(`src/${place}/`);

test('every folder of src is in the table', () => {
  const folders = new Set(SOURCES.map(({ path }) => folderOf(path)));
  expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});

test.each(Object.entries(MAY_IMPORT))('%s imports only %j of src', (folder, allowed) => {
  const files = SOURCES.filter(({ path }) => folderOf(path) === folder);
  const forbidden = files.flatMap((file) =>
    importsOf(file.text)
      .filter(isRelative)
      .map((name) => importedPath(file, name))
      .filter((path) => !allowed.some((place) => isWithin(path, place)))
      .map((path) => `${file.path} imports ${path}`),
  );
  expect(forbidden).toEqual([]);
});

test('the explorer imports only the contract and the client', () => {
  const files = filesUnder('explorer/src');
  const isAllowed = (path: string): boolean =>
    path.startsWith('explorer/src/') ||
    isWithin(path, 'contract') ||
    path === 'client/src/index.ts';
  const forbidden = files.flatMap((file) =>
    importsOf(file.text)
      .filter(isRelative)
      .map((name) => importedPath(file, name))
      .filter((path) => !isAllowed(path))
      .map((path) => `${file.path} imports ${path}`),
  );
  expect(files.length).toBeGreaterThan(30);
  expect(forbidden).toEqual([]);
});

/** The first import cycle in depth-first order, such as `a → b → a`; undefined without one. */
function importCycle(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' → ');
    if (finished.has(path)) return undefined;
    for (const imported of graph.get(path) ?? []) {
      const cycle = visit(imported, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test('there are no import cycles, not even of types', () => {
  const files = filesUnder('src', 'client/src', 'explorer/src');
  const graph = files.map((file) => {
    const imported = importsOf(file.text).filter(isRelative);
    return [file.path, imported.map((name) => importedPath(file, name))] as const;
  });
  expect(importCycle(new Map(graph))).toBeUndefined();
});

test('an import cycle is reported with its modules', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', []],
    ['c', ['d']],
    ['d', ['c']],
  ]);
  expect(importCycle(graph)).toBe('c → d → c');
});

const PURE = ['contract', 'pages', 'plan'];

test('contract, pages and plan import no Node module, so they do no input or output', () => {
  const pure = SOURCES.filter(({ path }) => PURE.some((folder) => isWithin(path, folder)));
  const impure = pure.filter(({ text }) =>
    importsOf(text).some((name) => name.startsWith('node:')),
  );
  expect(impure.map(({ path }) => path)).toEqual([]);
});

test('src imports only packages that are installed with it', () => {
  const installed = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const packages = SOURCES.flatMap(({ text }) => importsOf(text))
    .filter((name) => !isRelative(name) && !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  expect(packages.filter((name) => !Object.hasOwn(installed, name))).toEqual([]);
});

test('the client imports only its own modules, and Node modules only to write files', () => {
  const outside = CLIENT.flatMap((file) =>
    importsOf(file.text)
      .filter((name) =>
        isRelative(name)
          ? !importedPath(file, name).startsWith('client/src/')
          : !(name.startsWith('node:') && file.path.startsWith('client/src/node/')),
      )
      .map((name) => `${file.path} imports ${name}`),
  );
  expect(outside).toEqual([]);
});

test('the entry point for browsers never imports the modules for Node', () => {
  const inBrowsers = CLIENT.filter(({ path }) => !path.startsWith('client/src/node/'));
  const reaching = inBrowsers.filter(({ text }) =>
    importsOf(text).some((name) => name.includes('/node/')),
  );
  expect(inBrowsers.length).toBeGreaterThan(10);
  expect(reaching.map(({ path }) => path)).toEqual([]);
});

test('imports of every form are read', () => {
  const text = `import { one } from './one.ts';
import type { Two } from './two.ts';
import {
  three,
} from './three.ts';
import './four.ts';
export { five } from './five.ts';
const six: typeof import('./six.ts') = await import('./seven.ts');`;
  expect(importsOf(text)).toEqual(
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((name) => `./${name}.ts`),
  );
});

test('no import path is computed, so these tests see every import', () => {
  const computed = [...SOURCES, ...CLIENT].filter(({ text }) =>
    /\bimport\s*\(\s*[^'\s]/.test(text),
  );
  expect(computed.map(({ path }) => path)).toEqual([]);
});
