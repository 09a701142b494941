/** Opens the operator of the database for one command, and closes it afterwards. */

import { openOperator } from '../../control/open-operator.ts';
import type { Operator } from '../../control/operator.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';

export async function withOperator<Result>(
  flags: Flags,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const operator = await openOperator(await databaseSettings(readSettings(flags, process.env)));
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}
