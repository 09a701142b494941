/** Asserts that a response shows an affiliate only their own rows, with the fields of their role. */

import { expect } from 'vitest';
import { performanceFields } from '../../../src/contract/groups/performance-record.ts';
import { groupingsOf, performanceGroupingsOf } from '../../../src/contract/query/groupings.ts';
import { directoryFields, LISTED_DIRECTORIES } from '../../../src/contract/record/directory.ts';
import { RECORD_FIELDS } from '../../../src/contract/record/records.ts';
import { summaryFields } from '../../../src/contract/record/summary.ts';
import { kindCountOf } from '../attacks/guarded-operations.ts';
import { INTERNALS, OWN, SECRET } from '../attacks/secrets.ts';
import { readArrow, readParquet } from '../databases/read-back.ts';
import type { RawAnswer } from '../requests/raw-http.ts';

/** All names that a record or a group of an affiliate may have. */
const NAMES: readonly string[] = [
  ...RECORD_FIELDS.affiliate,
  ...summaryFields('affiliate', groupingsOf('affiliate'), true),
  ...performanceFields('affiliate', performanceGroupingsOf('affiliate'), {
    hasNames: true,
    isCompared: true,
  }),
  ...LISTED_DIRECTORIES.flatMap(directoryFields),
].map(({ name }) => name);

type JsonRecord = Readonly<Record<string, unknown>>;

/** Expects no more than the rows of the affiliate: one of each kind for each of their websites. */
function expectOwn(shown: readonly JsonRecord[], target: string): void {
  for (const record of shown) {
    if ('publisher_id' in record) expect(OWN, target).toContain(record.publisher_id);
    expect(NAMES, target).toEqual(expect.arrayContaining(Object.keys(record)));
  }
  const counted = shown.reduce((sum, { count = 1 }) => sum + Number(count), 0);
  expect(counted, target).toBeLessThanOrEqual(OWN.length * kindCountOf(target));
}

/** Removes each `Did you mean …` whose suggestion only repeats the request, such as a list without its brackets. */
function withoutRepeated(text: string, asked: string): string {
  const own = asked.replaceAll(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number(`0x${code}`)),
  );
  return text.replaceAll(/Did you mean \\*"([^"\\]*)/g, (all, suggested) =>
    suggested.split(',').every((item: string) => own.includes(item)) ? '' : all,
  );
}

/** Expects that a response shows nothing that the affiliate must not see. Only rows in JSON are parsed. */
export function expectNothingForeign(answer: RawAnswer, target: string): void {
  const { status, headers, body, text } = answer;
  expect(status, target).toBeGreaterThanOrEqual(200);
  expect(status, target).toBeLessThan(500);
  // A link repeats the URL of the request.
  const said = withoutRepeated(text.replace(/^link: .*$/m, ''), target);
  expect(said, target).not.toMatch(SECRET);
  expect(withoutRepeated(body, target), target).not.toMatch(SECRET);
  if (status >= 400) expect(text, target).not.toMatch(INTERNALS);
  const total = Number(headers.get('x-total-count') ?? 0);
  expect(total, target).toBeLessThanOrEqual(OWN.length * kindCountOf(target));
  if (status !== 200 || body === '' || !isJson(headers.get('content-type'))) return;
  const shown: unknown = JSON.parse(body);
  if (Array.isArray(shown)) expectOwn(shown, target);
  else if (Object(shown).transaction_id !== undefined) expectOwn([Object(shown)], target);
  else if (Object(shown).role !== undefined) {
    expect(shown, target).toMatchObject({ role: 'affiliate', publisher_ids: OWN });
  }
}

/** For the answer of a tool of the MCP server. Skips the property `whole`, a URL that repeats the arguments. */
export function expectOwnAnswer(answer: JsonRecord, asked: string): void {
  const shown = JSON.stringify(answer, (name, value) => (name === 'whole' ? '' : value));
  expect(withoutRepeated(shown, asked), asked).not.toMatch(SECRET);
  expect(shown, asked).not.toMatch(INTERNALS);
  const { rows = [], transaction } = answer;
  const records = [rows, transaction ?? []].flat() as readonly JsonRecord[];
  expectOwn(
    records.filter((record) => !('change' in record)),
    asked,
  );
}

const isJson = (type = ''): boolean => type.startsWith('application/json');

/** Expects that a response with rows in any format shows only the affiliate's own rows. */
export async function expectOwnIn(response: Response, target: string): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.toString('latin1'), target).not.toMatch(SECRET);
  if (response.status !== 200) return;
  const read = READERS[response.headers.get('content-type')?.split(';', 1)[0] ?? ''];
  if (read === undefined) throw new Error(`${target} is answered in a form that nobody reads.`);
  const shown = await read(bytes);
  expect(JSON.stringify(shown), target).not.toMatch(SECRET);
  expectOwn(shown, target);
}

type Read = (bytes: Buffer) => readonly JsonRecord[] | Promise<readonly JsonRecord[]>;

const lines = (bytes: Buffer): readonly string[] => bytes.toString().trim().split(/\r?\n/);

const READERS: Readonly<Record<string, Read>> = {
  'application/json': (bytes) => [JSON.parse(bytes.toString())].flat(),
  'application/x-ndjson': (bytes) =>
    bytes.length === 0 ? [] : lines(bytes).map((line) => JSON.parse(line)),
  'text/csv': (bytes) => {
    const [header = '', ...records] = lines(bytes);
    const names = header.replace('\uFEFF', '').split(/[;,]/);
    // The affiliate's own rows have no text with a separator or a quote, so lines can be split.
    return records.map((record) =>
      Object.fromEntries(
        record
          .split(header.includes(';') ? ';' : ',')
          .map((cell, at) => [names[at] ?? '', /^\d+$/.test(cell) ? Number(cell) : cell]),
      ),
    );
  },
  'application/vnd.apache.parquet': async (bytes) => (await readParquet(bytes)).rows,
  'application/vnd.apache.arrow.file': (bytes) => readArrow(bytes).rows,
};
