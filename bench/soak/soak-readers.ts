/** Readers of a soak: lists in every format, summaries and other requests, each with its invariants. */

import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_IMPORTED, IMPORTED_ROWS, JANUARY_ROWS, type Soak } from './soak.ts';

const LIST = '/api/admin/transactions?type=sales';
const JANUARY = 'start_date=2026-01-01&end_date=2026-01-31';
const FEBRUARY = 'start_date=2026-02-01&end_date=2026-02-28';

/** Undefined if the server was gone or the response was cut, as around a kill. */
export async function read({ server, end }: Soak, path: string, token: string) {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(server.url + path, { headers, signal: end });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

const numbersIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);

/** The identifiers of transactions in a list, by its format. Throws on JSON without its closing bracket. */
const IDENTIFIERS_OF: Readonly<Record<string, (text: string) => readonly number[]>> = {
  json: (text) =>
    (JSON.parse(text) as { transaction_id: number }[]).map((row) => row.transaction_id),
  ndjson: numbersIn,
  csv: numbersIn,
};

/**
 * Reads lists. Each must have all rows of January, or all rows of the confirmed imports, exactly once.
 *
 * A list may have a part of an unconfirmed import. If the import becomes visible while the service pauses the
 * list, the list has only the imported rows that are sorted after the last row sent.
 */
export async function readLists(soak: Soak): Promise<void> {
  const { report, token, end } = soak;
  for (let at = 0; !end.aborted; at += 1) {
    const [format = '', identifiersOf = numbersIn] = Object.entries(IDENTIFIERS_OF)[at % 3] ?? [];
    const isJanuary = at % 2 === 0;
    const expected = isJanuary ? JANUARY_ROWS : soak.confirmed;
    const query = `${isJanuary ? JANUARY : FEBRUARY}&format=${format}&fields=transaction_id`;
    const found = await read(soak, `${LIST}&${query}`, token);
    report.count(`lists: ${found?.status ?? 'cut'}`);
    if (found?.status !== 200) {
      await sleep(100);
      continue;
    }
    const identifiers = identifiersOf(found.text);
    const distinct = new Set(identifiers);
    const first = isJanuary ? 1 : FIRST_IMPORTED;
    const rows = [...distinct].filter((id) => id >= first && id < first + expected).length;
    const month = isJanuary ? 'January' : 'confirmed imports';
    report.check(`${format} has all rows of ${month}`, rows === expected, { rows, expected });
    report.check(`${format} has each row once`, distinct.size === identifiers.length, query);
  }
}

/** A summary is one statement, so each import is in it whole or not at all. */
export async function readSummaries(soak: Soak): Promise<void> {
  const { report, token, end } = soak;
  while (!end.aborted) {
    const { confirmed } = soak;
    const path = `/api/admin/transactions/summary?type=sales&${FEBRUARY}`;
    const found = await read(soak, path, token);
    report.count(`summaries: ${found?.status ?? 'cut'}`);
    if (found?.status === 200) {
      const [group] = JSON.parse(found.text) as { count: number }[];
      const rows = group?.count ?? 0;
      report.check('a summary has whole imports', rows % IMPORTED_ROWS === 0, rows);
      report.check('a summary has confirmed imports', rows >= confirmed, { rows, confirmed });
    }
    await sleep(50);
  }
}

const OTHERS = [
  `${LIST}&${JANUARY}&limit=100`,
  `${LIST}&${JANUARY}&format=parquet`,
  `${LIST}&${JANUARY}&format=arrow`,
  `/api/admin/transactions/summary?type=sales&${JANUARY}&group_by=day`,
  '/api/me',
  '/health/ready',
];

/** Every other kind of response succeeds, or says that the service is busy or starting. */
export async function readOthers(soak: Soak): Promise<void> {
  const { report, token, end } = soak;
  for (let at = 0; !end.aborted; at += 1) {
    const path = OTHERS[at % OTHERS.length] ?? '';
    const found = await read(soak, path, token);
    report.count(`others: ${found?.status ?? 'cut'}`);
    const isExpected = found === undefined || [200, 429, 503].includes(found.status);
    report.check('responses succeed', isExpected, { path, status: found?.status });
    await sleep(20);
  }
}
