/**
 * Links `node` into node_modules/.bin, where npm scripts find it: npm 10 installs the package of Node.js, but does
 * not link its command.
 */

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const platform = `-${process.platform}-${process.arch}`;
const name = Object.keys(optionalDependencies).find(
  (one) => one.startsWith('node-') && one.endsWith(platform),
);
const command = new URL('node_modules/.bin/node', root);

if (name !== undefined && existsSync(new URL(`node_modules/${name}`, root))) {
  mkdirSync(new URL('.', command), { recursive: true });
  if (!existsSync(command)) symlinkSync(`../${name}/bin/node`, command);
}
