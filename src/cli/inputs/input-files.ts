/** Finds the files to import: names, patterns, pipes and standard input. */

import { createReadStream, type Stats } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { glob, isDynamicPattern } from 'tinyglobby';
import { commandFile } from '../../disk/command-files.ts';
import { writeGuardedFile } from '../../disk/disk-space.ts';
import { UserError } from '../../user-error.ts';

/** A file, and the name that reports show. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
  /** A pipe or standard input, which can be read only once. */
  readonly isStream: boolean;
}

/** The argument and the path of standard input. */
export const STANDARD_INPUT = '-';

/** All files that match the names and patterns, each once. */
export async function inputFiles(patterns: readonly string[]): Promise<readonly InputFile[]> {
  const found = await Promise.all(patterns.map(filesOf));
  return [...new Map(found.flat().map((file) => [file.path, file])).values()];
}

async function filesOf(pattern: string): Promise<readonly InputFile[]> {
  if (pattern === STANDARD_INPUT) {
    return [{ path: STANDARD_INPUT, name: 'standard input', isStream: true }];
  }
  // An existing file takes precedence, even if its name contains `*` or brackets.
  const file = await stat(pattern).catch(() => undefined);
  if (file !== undefined) return [inputFile(pattern, file)];
  if (!isDynamicPattern(pattern)) {
    throw new UserError(`There is no file ${pattern}.`, 'List the files: ls');
  }
  const paths = (await glob(pattern, { absolute: false, expandDirectories: false })).sort();
  if (paths.length > 0) {
    return await Promise.all(paths.map(async (path) => inputFile(path, await stat(path))));
  }
  throw new UserError(`No file matches ${pattern}.`, 'List the files: ls');
}

function inputFile(name: string, file: Stats): InputFile {
  if (!file.isDirectory()) return { path: resolve(name), name, isStream: !file.isFile() };
  throw new UserError(
    `${name} is a directory.`,
    `Name the files in it: transactions import '${join(name, '*.csv')}'`,
  );
}

/** Copies a stream to a temporary file in the directory, because the import may read it twice. */
export async function spoolToFile(
  file: InputFile,
  directory: string,
  signal: AbortSignal,
): Promise<InputFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = commandFile(directory, 'input');
  const content: Readable =
    file.path === STANDARD_INPUT ? process.stdin : createReadStream(file.path);
  const whenFull = `${file.name}: the disk has no space for the copy of what is piped in. Free some, then import it again.`;
  try {
    await writeGuardedFile(path, content, { signal, whenFull });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { ...file, path, isStream: false };
}
