/** Builds the explorer into the given directory or dist/explorer. Builds nothing if its packages are not installed. */

import { fileURLToPath } from 'node:url';

const [outDir] = process.argv.slice(2);
const vite = await import('vite').catch(() => undefined);
if (vite === undefined) {
  console.error('The explorer is not built, because its packages are not installed.');
} else {
  const configFile = fileURLToPath(new URL('../explorer/vite.config.ts', import.meta.url));
  await vite.build({ configFile, logLevel: 'warn', build: outDir === undefined ? {} : { outDir } });
}
