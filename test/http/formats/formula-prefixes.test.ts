import { expect, test } from 'vitest';
import { CSV_STYLES } from '../../../src/plan/rendering/csv-style.ts';
import { startService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';

const HARMLESS = ['\u200bx', ' x = 1', 'a=1', '\u00ad', '1-1', "'=1"];

const RUN_BY_SPREADSHEETS = [
  '=1',
  ' =1',
  '\u00a0+1',
  '\u200b@x',
  '\u2060-1',
  '\ufeff=1',
  '\u202e\u3000＝1',
  '\u000b=1',
  '\tx',
];

const QUESTION =
  'type=sales&start_date=2026-01-01&end_date=2026-12-31&fields=clickid&csv=excel&order=asc';

test.each([
  ['the engine', 0],
  ['the month cache', 64 * 1024 * 1024],
])(
  '%s puts an apostrophe before formulas, also after blanks and invisible characters',
  async (_, memoryCache) => {
    const service = await startService({ settings: { memoryCache } });
    const texts = [...HARMLESS, ...RUN_BY_SPREADSHEETS];
    await service.importText(ndjson(texts.map((clickid) => fileRow({ clickid }))));
    await service.monthCache?.settled();
    const answer = await service.get(
      `/api/admin/transactions?${QUESTION}`,
      await service.token({}),
    );
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    await service.close();
    expect(text.startsWith(CSV_STYLES.excel.opening)).toBe(true);
    const cells = text.split('\r\n').slice(1, -1);
    const expected = [...HARMLESS, ...RUN_BY_SPREADSHEETS.map((formula) => `'${formula}`)];
    expect(cells.sort()).toEqual(expected.map((cell) => `"${cell}"`).sort());
  },
);
