/** Writes everything in the repository that is made from the tables of the code; `--check` only compares. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { referencePages } from '../src/cli/reference.ts';

const directory = new URL('../docs/reference/', import.meta.url);
const isCheck = process.argv.includes('--check');

await mkdir(directory, { recursive: true });
for (const [name, text] of referencePages()) {
  const file = new URL(name, directory);
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`docs/reference/${name} is out of date. Write it anew: npm run generate`);
    process.exitCode = 1;
  }
}
