import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The fields that CycloneDX 1.5 demands, and those that make a list useful. */
const BOM = v.object({
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.picklist(['1.5', '1.6']),
  serialNumber: v.pipe(v.string(), v.regex(/^urn:uuid:[0-9a-f-]{36}$/)),
  version: v.literal(1),
  metadata: v.object({
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    component: v.object({ 'bom-ref': v.string(), name: v.string(), version: v.string() }),
  }),
  components: v.array(
    v.object({
      'bom-ref': v.string(),
      type: v.picklist(['library', 'application']),
      name: v.string(),
      version: v.string(),
      purl: v.optional(v.pipe(v.string(), v.startsWith('pkg:npm/'))),
      cpe: v.optional(v.pipe(v.string(), v.startsWith('cpe:2.3:a:'))),
      hashes: v.optional(v.array(v.object({ alg: v.string(), content: v.string() }))),
    }),
  ),
  dependencies: v.array(v.object({ ref: v.string(), dependsOn: v.array(v.string()) })),
});

let bom: v.InferOutput<typeof BOM>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-'));
  const path = join(folder, 'sbom.cdx.json');
  await promisify(execFile)(process.execPath, [join(root, 'scripts/write-sbom.js'), path]);
  bom = v.parse(BOM, JSON.parse(await readFile(path, 'utf8')));
  await rm(folder, { recursive: true, force: true });
});

test('the SBOM describes this version of the service', () => {
  const { name, version } = manifest;
  expect(bom.metadata.component).toMatchObject({ name, version });
});

test('every package is there once, with the hash of the lock file', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string; link?: boolean }>;
  };
  const locked = Object.entries(lock.packages).map(([folder, { version, integrity = '' }]) => ({
    id: `${folder.replace(/^.*node_modules\//, '')}@${version}`,
    hash: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
  }));
  const own = ['client', 'explorer'];
  const fetched = bom.components.filter(
    ({ purl, name }) => purl !== undefined && !own.includes(name),
  );
  expect(fetched.length).toBeGreaterThan(50);
  for (const { purl = '', hashes } of fetched) {
    const id = decodeURIComponent(purl.replace('pkg:npm/', ''));
    const { hash } = locked.find((one) => one.id === id) ?? {};
    expect([id, hashes]).toEqual([id, [{ alg: 'SHA-512', content: hash }]]);
  }
  const ids = bom.components.map((component) => component['bom-ref']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the SBOM has the dependencies of the service, and none for development only', () => {
  const purls = bom.components.map(({ purl = '' }) => decodeURIComponent(purl));
  const has = (name: string) => purls.some((purl) => purl.startsWith(`pkg:npm/${name}@`));
  expect(Object.keys(manifest.dependencies).filter((name) => !has(name))).toEqual([]);
  expect(
    Object.keys(manifest.devDependencies).filter((name) => name !== 'ajv' && has(name)),
  ).toEqual([]);
});

test('the SBOM names the Node.js and the ClickHouse that packages contain', () => {
  const cpes = bom.components.flatMap(({ cpe }) => cpe ?? []);
  expect(cpes).toEqual([
    `cpe:2.3:a:nodejs:node.js:${process.versions.node}:*:*:*:*:*:*:*`,
    expect.stringMatching(/^cpe:2\.3:a:clickhouse:clickhouse:\d+(\.\d+){3}:/),
  ]);
});

test('every dependency is a component', () => {
  const known = new Set([
    bom.metadata.component['bom-ref'],
    ...bom.components.map((component) => component['bom-ref']),
  ]);
  const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !known.has(ref))).toEqual([]);
});
