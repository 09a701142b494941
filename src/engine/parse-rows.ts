/** Parses the rows of a small response in the format JSONEachRow with the schema of its statement. */

import * as v from 'valibot';
import type { Select } from '../plan/select.ts';

export async function parseRows<Row>(
  { row }: Select<Row>,
  blocks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<readonly Row[]> {
  const lines = Buffer.concat(await Array.fromAsync(blocks))
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => v.parse(row, JSON.parse(line)));
}
