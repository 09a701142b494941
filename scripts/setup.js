/** `npm run setup`: installs the developers' packages of the lock file, unless they are there already. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages of a lock file by their folder. npm keeps another lock file for the installed packages. */
const packagesIn = (lockFile) => JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;

function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json'))
    .filter(([folder, { optional }]) => folder !== '' && !optional)
    .every(([folder, { version }]) => installed[folder]?.version === version);
}

if (!isInstalled()) {
  console.error('Installing the packages that tests and tools need …');
  // npm runs on the pinned Node.js, which all of these packages support.
  const npm = [process.env.npm_execpath, 'install', '--include=dev'];
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync(process.execPath, [...npm, ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
