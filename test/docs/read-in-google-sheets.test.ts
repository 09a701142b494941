import { readFile } from 'node:fs/promises';
import vm from 'node:vm';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const TEXTS = ['é €', 'a,b', '"q"', '=1+1', 'line\nbreak'];

let service: TestService;
let script: string;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService();
  const sales = TEXTS.map((subid, at) =>
    fileRow({ transaction_id: at + 1, publisher_id: 7, subid, remu_publisher: 12.5 }),
  );
  await service.importText(ndjson(sales));
  const TOKEN = await service.token({ role: 'affiliate', publisherIds: [7] });
  settings = { API: service.url, TOKEN };
  const page = await readFile('docs/how-to/read-in-google-sheets.md', 'utf8');
  script = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
});

afterAll(async () => await service?.close());

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Response {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Sheet {
  name: string;
  rows: readonly (readonly string[])[];
}

/** Runs the script with stand-ins for the services of Apps Script that it uses. */
function refresh(answer: (request: Request) => Response): Sheet {
  const sheet: Sheet = { name: '', rows: [] };
  const range = (height: number, width: number) => ({
    setValues: (rows: Sheet['rows']) => {
      // Apps Script refuses rows that do not fill the range.
      expect([rows.length, ...new Set(rows.map((row) => row.length))]).toEqual([height, width]);
      sheet.rows = rows;
    },
  });
  const inserted = (name: string) => {
    sheet.name = name;
    return {
      clearContents: () => undefined,
      getRange: (_row: number, _column: number, height: number, width: number) =>
        range(height, width),
    };
  };
  const properties = { getProperty: (name: string) => settings[name] };
  const fetch = (url: string, options: Pick<Request, 'headers'>) => {
    const { text, headers } = answer({ url, headers: options.headers });
    return { getContentText: () => text, getHeaders: () => headers };
  };
  vm.runInNewContext(`${script}\nrefresh();`, {
    PropertiesService: { getScriptProperties: () => properties },
    UrlFetchApp: { fetch },
    Utilities: { parseCsv: (text: string) => parse(text) as string[][] },
    SpreadsheetApp: {
      getActiveSpreadsheet: () => ({ getSheetByName: () => null, insertSheet: inserted }),
    },
  });
  return sheet;
}

/** The response to the script's request. The script cannot wait, so a first run only records the request. */
async function served(): Promise<Response> {
  const requests: Request[] = [];
  expect(() =>
    refresh((request) => {
      requests.push(request);
      throw new Error('not yet answered');
    }),
  ).toThrow('not yet answered');
  const [{ url, headers } = { url: '', headers: {} }] = requests;
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { text, headers: Object.fromEntries(response.headers) };
}

test('the script of the page fills a sheet with every text and without formulas', async () => {
  const response = await served();
  expect(response.text.startsWith('\uFEFF')).toBe(true);
  const { name, rows } = refresh(() => response);
  expect(name).toBe('Sales');
  const [header, ...records] = rows;
  expect(header?.join()).toBe(
    'transaction_id,created_at,program_name,subid,remuneration,status_label',
  );
  expect(records.map((row) => row[3])).toEqual(
    TEXTS.map((text) => (text.startsWith('=') ? `'${text}` : text)),
  );
  expect(records[0]?.[4]).toBe('12.5');
});

test('an incomplete response is an error', async () => {
  const { text, headers } = await served();
  const incomplete = { text: text.split('\r\n').slice(0, 3).join('\r\n'), headers };
  expect(() => refresh(() => incomplete)).toThrow('Received 2 of 5 rows.');
});
