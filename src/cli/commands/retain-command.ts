/** `transactions retain`: removes the transactions that RETENTION does not keep. */

import { openOperator } from '../../control/open-operator.ts';
import { UserError } from '../../user-error.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { printZoneNotice } from '../inputs/new-time-zone.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { textTable } from '../output/text-table.ts';

type RetainFlags = Flags & { readonly dryRun?: boolean; readonly json?: boolean };

export async function retainCommand({ dryRun, json, ...flags }: RetainFlags): Promise<void> {
  const settings = readSettings(flags, process.env);
  const { retention } = settings;
  if (retention === undefined) {
    throw new UserError(
      'RETENTION is not set, so all transactions are kept.',
      'Set it: RETENTION="impressions=13 months, *=37 months"',
    );
  }
  const isDryRun = dryRun === true;
  const operator = await openOperator(await databaseSettings(await printZoneNotice(settings)));
  try {
    const { keptFrom, removed } = await operator.retain({ retention, isDryRun });
    if (json) {
      console.log(JSON.stringify({ dry_run: isDryRun, kept_from: keptFrom, removed }));
      return;
    }
    if (removed.length > 0) {
      console.log(textTable(removed.map((row) => ({ ...row, rows: String(row.rows) }))));
    }
    const count = removed.reduce((all, row) => all + row.rows, 0);
    const rows = count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
    console.log(`${rows} ${isDryRun ? 'would be' : count === 1 ? 'was' : 'were'} removed.`);
  } finally {
    await operator.close();
  }
}
