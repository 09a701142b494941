/** The project's own files, for tests that read them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the project's root, with slashes, such as `src/contract/record/kinds.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Every file under the folders of the project's root that exist. */
export function filesUnder(...folders: readonly string[]): readonly SourceFile[] {
  return folders
    .filter((folder) => existsSync(resolve(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(resolve(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => resolve(entry.parentPath, entry.name)),
    )
    .map((path) => ({
      path: path.slice(ROOT.length + 1).replaceAll('\\', '/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/** The imports of a module: static, for side effects, or dynamic. */
export function importsOf(text: string): readonly string[] {
  const standing = text.matchAll(/^(?:import|export)\b(?:[^'";=(]*\sfrom)?\s*'([^']+)'/gm);
  const running = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...standing, ...running].map(([, name = '']) => name);
}

/** The path of an import, from the project's root. */
export const importedPath = (file: SourceFile, name: string): string =>
  posix.join(posix.dirname(file.path), name);
