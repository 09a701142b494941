import { expect, test } from 'vitest';
import { cardColumns, cardHeight } from '../../../explorer/src/table/grid/card-layout.ts';
import {
  boundedWidth,
  readWidths,
  writtenWidths,
} from '../../../explorer/src/table/grid/chosen-widths.ts';
import { RECORD_FIELDS } from '../../../src/contract/record/records.ts';

test('stored widths are read as written, within bounds, and other text is ignored', () => {
  const widths = { created_at: 12.25, country: 7 };
  expect(readWidths(writtenWidths(widths))).toEqual(widths);
  expect(readWidths('country=900,status=-3,=5,total,amount=wide')).toEqual({
    country: 40,
    status: 4,
  });
  expect(readWidths(undefined)).toEqual({});
  expect(boundedWidth(12.3456)).toBe(12.35);
});

test('a card has the status and the first amount, then a date a line, then two values a line', () => {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => RECORD_FIELDS.admin.filter((column) => column.name === name));
  const cardOf = (...names: readonly string[]) => {
    const columns = cardColumns(named(names));
    return [columns.map(({ name }) => name).join(), cardHeight(columns)];
  };
  expect(cardOf('created_at', 'program_id', 'amount', 'country', 'status_label')).toEqual([
    'status_label,amount,created_at,program_id,country',
    20 + 3 * 24,
  ]);
  expect(cardOf('created_at', 'country')).toEqual(['created_at,country', 20 + 2 * 24]);
  expect(cardOf('updated_at', 'amount', 'created_at')).toEqual([
    'amount,updated_at,created_at',
    20 + 3 * 24,
  ]);
});
