/** Assigns the test files to vitest projects by their imports, so that no list is needed. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * This module imports stores.ts, but most tests use it with the embedded store only. So this import does not
 * count. A test file that imports stores.ts in another way belongs to `cluster`.
 */
const ANY_STORE = 'test/support/requests/service.ts';

/** A file belongs to the first project with a module that it imports, directly or not. Others are unit tests. */
const NEEDS = {
  browser: ['test/support/servers/browser.ts'],
  cluster: [
    'test/support/databases/stores.ts',
    'test/support/servers/clickhouse-cluster.ts',
    'test/support/servers/cluster-service.ts',
  ],
  service: ['chdb', '@clickhouse/client', 'fastify', 'node:child_process', 'node:net'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const PROJECTS = ['browser', 'cluster', 'service', 'unit'] as const;

export type TestProject = (typeof PROJECTS)[number];

/** The test files of each project, by their paths from the root. */
export function testFilesByProject(): ReadonlyMap<TestProject, readonly string[]> {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const byProject = Map.groupBy(files.sort(), projectOf);
  return new Map(PROJECTS.map((project) => [project, byProject.get(project) ?? []]));
}

function projectOf(file: string): TestProject {
  const reached = modulesReachedBy(file);
  const isNeeded = (project: keyof typeof NEEDS) =>
    NEEDS[project].some((name) => reached.has(name));
  return (['browser', 'cluster', 'service'] as const).find(isNeeded) ?? 'unit';
}

/** Files by their paths from the root, packages by their names. */
function modulesReachedBy(file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const module of reached) {
    for (const imported of importsOf(module)) {
      if (module !== ANY_STORE || !imported.endsWith('/stores.ts')) reached.add(imported);
    }
  }
  return reached;
}

const known = new Map<string, readonly string[]>();

/** The runtime imports of a module, including dynamic ones, without types. */
function importsOf(module: string): readonly string[] {
  const imports = known.get(module) ?? (existsSync(join(ROOT, module)) ? readImports(module) : []);
  known.set(module, imports);
  return imports;
}

function readImports(module: string): readonly string[] {
  if (!/\.m?[jt]sx?$/.test(module)) return [];
  const text = readFileSync(join(ROOT, module), 'utf8');
  const first = text.matchAll(/^(?:import|export)\b(?! type\b)(?:[^'";=(]*\sfrom)?\s*'([^']+)'/gm);
  const later = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...first, ...later].map(([, name = '']) =>
    name.startsWith('.') ? posix.join(posix.dirname(module), name) : name,
  );
}
