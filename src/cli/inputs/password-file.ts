/** Reads a password from a file, because arguments are shown in the process list. */

import { readFile } from 'node:fs/promises';
import { UserError } from '../../user-error.ts';

/** The content without the line end that editors add; `named` is the flag or variable, for errors. */
export async function passwordFrom(file: string, named: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(
      `The password file ${file} cannot be read: ${cause.code}.`,
      `Set ${named} to a file that this user can read.`,
      { cause },
    );
  });
  return text.replace(/\r?\n$/, '');
}
