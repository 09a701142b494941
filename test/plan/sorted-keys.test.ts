import { expect, test } from 'vitest';
import type { ListQuery } from '../../src/contract/query/query.ts';
import type { KeysetPosition } from '../../src/plan/keyset-position.ts';
import { keyedRecordsStatement, sortedKeysStatement } from '../../src/plan/sorting/sorted-keys.ts';
import { ADMIN, affiliateOf, planFor } from './principals.ts';

const LAST = { at: 1_767_222_000, transactionId: 7 };

function keysOf(query: Partial<ListQuery>, after?: KeysetPosition, principal = ADMIN) {
  const plan = planFor(principal, { limit: 10, ...query });
  return sortedKeysStatement(after === undefined ? plan : { ...plan, after });
}

test('the keys of a page are read from the columns of the conditions, the sort and the keys only', () => {
  const { text, values } = keysOf({ sort: '-amount', country: ['FR'], offset: 20 });
  expect(
    text,
  ).toBe(`SELECT reinterpretAsFixedString(toUInt32(length(piece_0) + length(piece_1) + length(piece_2))), reinterpretAsFixedString(toUInt32(created_at)), reinterpretAsFixedString(toUInt64(transaction_id)),
  reinterpretAsFixedString(toUInt32(created_at)) AS piece_0, reinterpretAsFixedString(toUInt64(publisher_id)) AS piece_1, ifNull(concat('\\x01', toString(amount)), '\\0') AS piece_2
FROM transactions FINAL
WHERE type = {p1:String} AND created_at >= toDateTime({p2:UInt32}) AND created_at < toDateTime({p3:UInt32}) AND country = {p4:String}
ORDER BY amount DESC NULLS LAST, created_at, transaction_id
LIMIT {p5:UInt32}
OFFSET {p6:UInt32}`);
  expect(values).toMatchObject({ p4: 'FR', p5: 10, p6: 20 });
});

test('the next page begins after the value, date and identifier of the last row, and nulls come last', () => {
  const { text, values } = keysOf({ sort: '-amount' }, { ...LAST, value: '12.5' });
  expect(text).toContain(
    `AND (amount < toDecimal64({p4:String}, 6) OR (amount = toDecimal64({p5:String}, 6) AND (created_at, transaction_id) > (toDateTime({p6:UInt32}), {p7:UInt64})) OR amount IS NULL)`,
  );
  expect(values).toMatchObject({ p4: '12.5', p5: '12.5', p6: LAST.at, p7: 7 });
});

test('after a null, only nulls follow', () => {
  const { text } = keysOf({ sort: 'amount', order: 'desc' }, { ...LAST, value: null });
  expect(text).toContain(
    'AND (amount IS NULL AND (created_at, transaction_id) < (toDateTime({p4:UInt32}), {p5:UInt64}))',
  );
});

test('texts are compared by a prefix, and the text of the last row is bound as bytes', () => {
  const { text, values } = keysOf({ sort: 'referer' }, { ...LAST, value: 'caf\xc3' });
  expect(text).toContain('ORDER BY substring(referer, 1, 512) ASC NULLS LAST, created_at');
  expect(text).toContain('substring(referer, 1, 512) > unhex({p4:String})');
  expect(values.p4).toBe('636166c3');
});

test('addresses are sorted as they are shown', () => {
  const { text } = keysOf({ sort: 'ip_address' });
  expect(text).toContain('ORDER BY shown_ip_address ASC');
  expect(text).not.toMatch(/\bip_address/);
});

test('a date of validation counts only for validated transactions', () => {
  expect(keysOf({ sort: 'validation_date' }).text).toContain(
    'ORDER BY if(status = 1, validation_date, NULL) ASC NULLS LAST',
  );
});

test.each([
  [{ sort: '-created_at' }, { order: 'desc' }],
  [{ sort: 'created_at' }, {}],
  [{ sort: '-created_at', order: 'desc' }, { order: 'desc' }],
  [
    { sort: '-updated_at', date_field: 'updated_at' },
    { order: 'desc', date_field: 'updated_at' },
  ],
] as const)(
  'a list that is sorted by the date of its period has the plan of an unsorted list: %o',
  (query, usual) => {
    expect(planFor(ADMIN, { limit: 10, ...query })).toEqual(
      planFor(ADMIN, { limit: 10, ...usual }),
    );
  },
);

test.each([
  [{ sort: '-created_at', order: 'asc' }, 'created_at DESC NULLS LAST, created_at, transaction_id'],
  [
    { sort: '-created_at', offset: 5 },
    'created_at DESC NULLS LAST, created_at DESC, transaction_id DESC',
  ],
  [{ sort: '-updated_at' }, 'updated_at DESC NULLS LAST, created_at, transaction_id'],
] as const)('sorting by a date is explicit where it is not the usual order: %o', (query, order) => {
  expect(keysOf(query).text).toContain(`ORDER BY ${order}\n`);
});

test('where no transaction of the type has the field, the usual order remains', () => {
  const { text } = keysOf({ type: 'leads', sort: 'amount' }, { ...LAST, value: null });
  expect(text).toContain('\nORDER BY created_at, transaction_id\n');
  expect(text).not.toContain('amount');
});

test('a projection is read if it has the column of the sort', () => {
  expect(keysOf({ sort: '-amount', publisher_id: [7] }).text).toContain(
    'FROM transactions_by_publisher FINAL',
  );
  expect(keysOf({ sort: '-clickid', publisher_id: [7] }).text).toContain('FROM transactions FINAL');
});

test('an affiliate’s records are read from the affiliate table by their keys', () => {
  const plan = planFor(affiliateOf(7, 9), { limit: 10, sort: '-remuneration' });
  const key = { ...LAST, createdAt: LAST.at, publisherId: 9, value: '1' };
  const { text } = keyedRecordsStatement(plan, [key], 'Europe/Paris');
  expect(text).toContain(
    'FROM affiliate_transactions FINAL\nPREWHERE (publisher_id, created_at, transaction_id) GLOBAL IN (',
  );
  expect(text).toContain('\nWHERE type = {p8:String} AND publisher_id IN {p9:Array(UInt64)}');
  expect(sortedKeysStatement(plan).text).toContain('ORDER BY remuneration DESC NULLS LAST');
});
