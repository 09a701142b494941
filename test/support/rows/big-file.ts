/** A file of many months, whose import takes a second or two. */

import { writeFile } from 'node:fs/promises';

const HEADER =
  'type,transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at,referer';

const KIND_NAMES = ['impressions', 'clics', 'dbclicks', 'leads', 'sales'];

/** Writes a number of valid rows, in twelve months: the odd ones of 2024 and the even ones of 2025. */
export async function writeBigFile(path: string, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, at) => {
    const month = `202${4 + (at % 2)}-${String(1 + (at % 12)).padStart(2, '0')}`;
    const created = `${month}-10 10:00:00`;
    return `${KIND_NAMES[at % 5]},${at + 1},${at % 50},${100 + (at % 10)},1,2,${created},${created},https://example.com/${at}`;
  });
  await writeFile(path, `${[HEADER, ...lines].join('\n')}\n`);
}
