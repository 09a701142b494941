/** Reads the whole text of a list with the code that streams it into responses. */

import type { Reader } from '../../../src/engine/engine.ts';
import { NEVER_ABORTED } from '../../../src/engine/never-aborted.ts';
import type { ListPlan } from '../../../src/plan/list-plan.ts';
import { readList } from '../../../src/reading/list-stream.ts';
import { TableVersions } from '../../../src/reading/table-versions.ts';

/** The text of the list that a plan selects, for a platform in the time zone. */
export async function listText(reader: Reader, plan: ListPlan, timeZone: string): Promise<string> {
  const deps = { reader, timeZone, tableVersions: new TableVersions(reader) };
  const blocks = await Array.fromAsync(readList(plan, deps, NEVER_ABORTED));
  return Buffer.concat(blocks).toString();
}
