import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { AWKWARD_TEXT, awkwardInsert } from '../support/rows/awkward-row.ts';
import { everyNth } from '../support/run/sampled.ts';

let database: TestEngine;
let rows = 0;
/** The records without any setting. */
let plain: Awaited<ReturnType<typeof rendered>> | undefined;

beforeAll(async () => {
  database = await openTestEngine();
  for (const table of ['transactions', 'affiliate_transactions']) {
    await database.run(`SYSTEM STOP MERGES ${table}`);
  }
});

afterAll(async () => await database.close());

/** The records that both tables render if a session with these settings inserts the row. */
async function rendered(settings: string): Promise<readonly (string | undefined)[]> {
  rows += 1;
  await database.run(awkwardInsert('sales', { transaction_id: String(rows) }, settings));
  const text = (table: string) => `SELECT record_head, record_tail FROM ${table}
WHERE transaction_id = ${rows}`;
  const found = ['transactions', 'affiliate_transactions'].map(async (table) => {
    const [row] = await database.rows<{ record_head: string; record_tail: string }>(text(table));
    return row && row.record_head.replace(`:${rows},`, ':1,') + row.record_tail;
  });
  return await Promise.all(found);
}

const SETTINGS = [
  'output_format_json_escape_forward_slashes = 1',
  'output_format_json_escape_forward_slashes = 0',
  'output_format_json_quote_64bit_integers = 1',
  'output_format_json_quote_64bit_floats = 1',
  'output_format_json_quote_decimals = 1',
  'output_format_json_validate_utf8 = 1',
  'output_format_decimal_trailing_zeros = 1',
  "date_time_output_format = 'iso'",
  "date_time_output_format = 'unix_timestamp'",
  "session_timezone = 'Asia/Tokyo'",
  'allow_hyperscan = 0',
  "short_circuit_function_evaluation = 'disable'",
  "short_circuit_function_evaluation = 'force_enable'",
  'formatdatetime_f_prints_single_zero = 1',
  'compile_expressions = 1, min_count_to_compile_expression = 0',
  'max_block_size = 1, max_insert_block_size = 1',
  "compatibility = '20.3'",
  "compatibility = '22.8'",
  "compatibility = '24.8'",
];

describe('the rendered record does not depend on the session that inserts', () => {
  test('has the inserted values', async () => {
    const [admin = '', affiliate = ''] = await rendered('');
    const both = { created_at: '2026-01-01 01:00:00', token: AWKWARD_TEXT };
    expect(JSON.parse(admin)).toMatchObject({
      ...both,
      amount: 1234567.1,
      orderid: 9007199254740991,
    });
    expect(JSON.parse(affiliate)).toMatchObject({ ...both, remuneration: 1234567.1 });
  });

  test.each(SETTINGS)('with %s', async (settings) => {
    plain ??= await rendered('');
    expect(plain).not.toContain(undefined);
    expect(await rendered(settings)).toEqual(plain);
  });

  test('does not change with any boolean setting of the engine', async () => {
    plain ??= await rendered('');
    const switches = await database.rows<{ name: string; value: string }>(
      `SELECT name, value FROM system.settings WHERE type = 'Bool' AND NOT is_obsolete
AND name NOT LIKE '%readonly%' ORDER BY name`,
    );
    const turned = switches.map(({ name, value }) => `${name} = ${value === '1' ? 0 : 1}`);
    let tried = 0;
    const attempt = async (group: readonly string[]): Promise<void> => {
      const result = await rendered(group.join(', ')).catch(() => undefined);
      if (result !== undefined) {
        tried += group.length;
        expect(result, group.join(', ')).toEqual(plain);
      } else if (group.length > 1) {
        for (const one of group) await attempt([one]);
      }
    };
    const groups: string[][] = [];
    for (let at = 0; at < turned.length; at += 20) groups.push(turned.slice(at, at + 20));
    const tested = everyNth(groups, 4);
    for (const group of tested) await attempt(group);
    // Some settings are not available in this engine, such as those of database transactions.
    expect(tried).toBeGreaterThan(0.95 * tested.flat().length);
  });
});
