/** Removes what killed commands have copied for their imports, and refuses the erasure if such copies may remain. */

import { clearCommandFiles } from '../disk/command-files.ts';
import { UserError } from '../user-error.ts';

export async function removeCommandFiles(workDirectory: string): Promise<void> {
  const foreign = await clearCommandFiles(workDirectory);
  if (foreign.length === 0) return;
  throw new UserError(
    `Files of commands in another container may contain personal data: ${foreign.join('; ')}. Nothing was erased, because only that container shows whether its commands still run.`,
    'Wait until these commands have ended. If none of them runs any more, delete the files, or restart the service. Then erase again.',
  );
}
