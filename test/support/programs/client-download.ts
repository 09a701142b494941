/** A process that downloads many sales to a file with the client, and stops after some pages. */

import { createClient } from '../../../client/src/node/index.ts';

const [baseUrl = '', token = '', file = '', pages = ''] = process.argv.slice(2);

let left = Number(pages);

await createClient({ baseUrl, token }).admin.transactions.download(
  { type: 'sales', start_date: '2026-03-01', end_date: '2026-03-01', format: 'ndjson' },
  file,
  {
    pageSize: 500,
    onProgress: ({ bytes }) => {
      left -= 1;
      if (left > 0) return;
      process.stdout.write(`${bytes}\n`);
      // Waits until it is killed.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  },
);
