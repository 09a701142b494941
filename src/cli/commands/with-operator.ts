/** Opens the operator of the database for one command, and closes it afterwards. */

import { openOperator } from '../../control/open-operator.ts';
import type { Operator } from '../../control/operator.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { printZoneNotice } from '../inputs/new-time-zone.ts';
import { type Flags, readSettings, type Settings } from '../inputs/settings.ts';

/** `settle` completes the settings before the database is opened or created. */
export async function withOperator<Result>(
  flags: Flags,
  work: (operator: Operator) => Promise<Result>,
  settle: (settings: Settings) => Promise<Settings> = printZoneNotice,
): Promise<Result> {
  const operator = await openOperator(
    await databaseSettings(await settle(readSettings(flags, process.env))),
  );
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}
