/** Builds the explorer, into the directory that is named or dist/explorer; without the packages of developers, which hold what builds it, there is nothing to do. */

import { fileURLToPath } from 'node:url';

const [outDir] = process.argv.slice(2);
const vite = await import('vite').catch(() => undefined);
if (vite === undefined) {
  console.error('The explorer is not built, as the packages of developers are not installed.');
} else {
  const configFile = fileURLToPath(new URL('../explorer/vite.config.ts', import.meta.url));
  await vite.build({ configFile, logLevel: 'warn', build: outDir === undefined ? {} : { outDir } });
}
