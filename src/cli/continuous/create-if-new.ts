/** Creates a new database before a continuous import begins. */

import { withOperator } from '../commands/with-operator.ts';
import { isUndecided, settleTimeZone } from '../inputs/new-time-zone.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';

/** Must run before `stopSignal`, so that Ctrl-C ends the question for the time zone. */
export async function createIfNew(flags: Flags): Promise<void> {
  if (!isUndecided(readSettings(flags, process.env))) return;
  await withOperator(flags, async () => undefined, settleTimeZone);
}
