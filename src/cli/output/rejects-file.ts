/** The CSV file for rejected rows, `--rejects`. */

import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { withDiskFullError } from '../../disk/disk-space.ts';
import { REJECTED_COLUMNS } from '../../ingest/checks/row-faults.ts';
import { UserError } from '../../user-error.ts';
import { type InputFile, STANDARD_INPUT } from '../inputs/input-files.ts';

interface RejectsFile extends AsyncDisposable {
  write(csv: Uint8Array): Promise<void>;
}

/** The files that the import reads, which must not be overwritten. */
interface ReadFiles {
  readonly inputs: readonly InputFile[];
  readonly mapping: string | undefined;
}

/** Creates or empties the file, and writes the header (CSV, RFC 4180). */
export async function openRejects(
  path: string,
  { inputs, mapping }: ReadFiles,
): Promise<RejectsFile> {
  const next = 'Name another file: --rejects rejected.csv';
  if (await isAmong(inputs.map(sourceOf), path)) {
    throw new UserError(`${path} is one of the files to import.`, next);
  }
  if (mapping !== undefined && (await isAmong([mapping], path))) {
    throw new UserError(`${path} is the mapping of this import.`, next);
  }
  const file = await open(path, 'w', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(`Cannot write ${path}: ${cause.code}.`, next, { cause });
  });
  const write = async (csv: string | Uint8Array) =>
    await withDiskFullError(dirname(resolve(path)), file.writeFile(csv));
  try {
    await write(`${REJECTED_COLUMNS.join(',')}\r\n`);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    write,
    [Symbol.asyncDispose]: async () => await file.close(),
  };
}

/** Whether the path leads to one of the files, also by a link. */
async function isAmong(files: readonly string[], path: string): Promise<boolean> {
  const wanted = await identityOf(path);
  for (const file of files) {
    if (resolve(file) === resolve(path)) return true;
    if (wanted !== undefined && wanted === (await identityOf(file))) return true;
  }
  return false;
}

/** Standard input can be a file, too. */
const sourceOf = ({ path }: InputFile): string => (path === STANDARD_INPUT ? '/dev/stdin' : path);

/** The same for all names of a file. Undefined if there is no regular file, which could lose its content. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? `${found.dev} ${found.ino}` : undefined;
}
