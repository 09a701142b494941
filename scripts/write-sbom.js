/**
 * `npm run sbom`: writes the software bill of materials of the service (CycloneDX) to a file.
 *
 * npm lists the installed packages with their hashes, and the lock file tells which of them are only for
 * development. (With `--omit dev`, npm also leaves out packages that both the service and a development
 * package need.) Two packages contain other software, which is added under the names that vulnerability
 * databases use.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file = 'artifacts/sbom.cdx.json'] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));

/** The list that npm prints. If npm started this script, the same npm is called, on the Node.js of this process. */
function packages() {
  const form = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const args = ['sbom', ...form, '--include=dev'];
  const { npm_execpath: npm } = process.env;
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The packages of the lock file that are only for development, as `name@version`. */
function developmentPackages() {
  const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8'));
  const idOf = ([folder, { version }]) => `${folder.replace(/^.*node_modules\//, '')}@${version}`;
  const all = Object.entries(lock.packages);
  const needed = new Set(all.filter(([, { dev }]) => dev !== true).map(idOf));
  return new Set(all.map(idOf).filter((id) => !needed.has(id)));
}

/** Software that a package contains: its name, version, and vendor in the CPE dictionary. */
function contained(name, version, vendor) {
  const product = name.toLowerCase();
  return {
    'bom-ref': `${product}@${version}`,
    type: 'application',
    name,
    version,
    cpe: `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`,
  };
}

const engineVersion = () =>
  String(createRequire(import.meta.url)('chdb').query('SELECT version()', 'TSV')).trim();

const bom = packages();
const omitted = developmentPackages();
bom.components = bom.components.filter((one) => !omitted.has(one['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => !omitted.has(ref))
  .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => !omitted.has(ref)) }));
// npm names the component after the folder.
bom.metadata.component.name = manifest.name;
for (const [pattern, describe] of [
  [/^node-(?:bin-)?(?:linux|darwin)-/, ({ version }) => contained('Node.js', version, 'nodejs')],
  [/^@chdb\/lib-/, () => contained('ClickHouse', engineVersion(), 'clickhouse')],
]) {
  const carrier = bom.components.find(({ name, group }) =>
    pattern.test(group === undefined ? name : `${group}/${name}`),
  );
  if (carrier === undefined) continue;
  const software = describe(carrier);
  bom.components.push(software);
  bom.dependencies.push({ ref: software['bom-ref'], dependsOn: [] });
  bom.dependencies
    .find(({ ref }) => ref === carrier['bom-ref'])
    .dependsOn.push(software['bom-ref']);
}
const path = resolve(root, file);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(bom, undefined, 2)}\n`);
console.log(`${path} lists ${bom.components.length} components.`);
