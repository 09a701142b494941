/** Writes the generated files of the repository from the tables in the code. `--check` only compares them. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { clientContract } from '../client/scripts/client-contract.ts';
import { clientTypes } from '../client/scripts/client-types.ts';
import { referencePages } from '../src/cli/reference/reference.ts';

const root = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

const pages = referencePages();
const files = [
  ...[...pages].map(([name, text]) => [`docs/reference/${name}`, text] as const),
  ['client/src/openapi.ts', await clientTypes(pages.get('openapi.json') ?? '')] as const,
  ['client/src/contract.ts', clientContract()] as const,
];

await mkdir(new URL('docs/reference/', root), { recursive: true });
for (const [path, text] of files) {
  const file = new URL(path, root);
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is out of date. Run: npm run generate`);
    process.exitCode = 1;
  }
}
