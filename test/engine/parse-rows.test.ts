import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parseRows } from '../../src/engine/parse-rows.ts';
import { INTEGER, type RowSchema, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';

/** The rows of a response that arrives in two blocks. */
const rowsOf = async <Row>(row: RowSchema<Row>, response: string): Promise<readonly Row[]> => {
  const bytes = Buffer.from(response);
  const blocks = [bytes.subarray(0, 5), bytes.subarray(5)];
  const arriving = (async function* () {
    yield* blocks;
  })();
  return await parseRows(select(row, plainStatement('SELECT 1')), arriving);
};

const COUNT = v.object({ rows: INTEGER });

test('each line is a row', async () => {
  expect(await rowsOf(COUNT, '{"rows":1}\n{"rows":2}\n')).toEqual([{ rows: 1 }, { rows: 2 }]);
  expect(await rowsOf(COUNT, '')).toEqual([]);
});

test('an integer of 64 bits may arrive as text', async () => {
  expect(await rowsOf(COUNT, '{"rows":"9007199254740991"}\n')).toEqual([{ rows: 2 ** 53 - 1 }]);
  expect(await rowsOf(COUNT, '{"rows":"-7"}\n')).toEqual([{ rows: -7 }]);
});

test.each(['{"rows":null}', '{"rows":"many"}', '{"count":1}', '[1]', '{"rows":'])(
  'a row of another form is refused: %s',
  async (line) => {
    await expect(rowsOf(COUNT, `${line}\n`)).rejects.toThrow();
  },
);
