/** Reads a password from a file, which no process list shows. */

import { readFile } from 'node:fs/promises';
import { UserError } from '../../user-error.ts';

/** All of the file but one line end, which editors add; `named` is what names the file. */
export async function passwordFrom(file: string, named: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(
      `The password's file ${file} cannot be read: ${cause.code}.`,
      `Let ${named} name a file that this user may read.`,
      { cause },
    );
  });
  return text.replace(/\r?\n$/, '');
}
