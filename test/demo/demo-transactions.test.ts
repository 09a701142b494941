import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { appliesTo, STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { ACTIONS, KINDS } from '../../src/contract/record/kinds.ts';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';
import { isSkipped, midnightOf } from '../../src/demo/random/wall-clock.ts';
import { demoTransactions } from '../../src/demo/transactions/demo-transactions.ts';
import type { DemoTransaction } from '../../src/demo/transactions/tracking-event.ts';
import {
  actions,
  daysBetween,
  exceptions,
  FIRST_DAY,
  LAST_DAY,
  PERIOD,
  platform,
  ROWS,
  shareOf,
  year,
} from './demo-year.ts';

const sales = year.filter(({ type }) => type === 'sales');

const DATES = ['created_at', 'updated_at', 'validation_date', 'first_click', 'last_click'] as const;

test('platform and transactions are the same on every call', () => {
  const again = demoTransactions(demoPlatform(), PERIOD);
  expect([...again.take(2_000)]).toEqual(year.slice(0, 2_000));
});

test.each([0, 1, 7, 9_999])('%i rows are generated when requested', (rows) => {
  const made = demoTransactions(platform, { rows, days: 366, lastDay: '2024-02-29' });
  expect([...made]).toHaveLength(rows);
});

test('every transaction has all stored fields and nothing else', () => {
  const names = ['type', ...STORED_FIELDS.map(({ name }) => name)].sort();
  expect(exceptions(year, (row) => Object.keys(row).sort().join() === names.join())).toEqual([]);
});

test('required fields are never null, and fields that do not apply to the type always are', () => {
  for (const field of STORED_FIELDS) {
    const contentOf = (row: DemoTransaction) => row[field.name as keyof DemoTransaction];
    if (field.required) expect(exceptions(year, (row) => contentOf(row) !== null)).toEqual([]);
    const others = year.filter(({ type }) => !appliesTo(field, type));
    expect(exceptions(others, (row) => contentOf(row) === null)).toEqual([]);
  }
});

test('every field has a value in some row of every type that it applies to', () => {
  // Rows of many events have no single address or click. Only leads and sales have `token` and `invoice_id`.
  const ofVisits = ['ip_address', 'clickid'];
  const ofActions = ['token', 'invoice_id'];
  for (const kind of KINDS) {
    const rows = year.filter(({ type }) => type === kind);
    const expected = STORED_FIELDS.filter((field) => appliesTo(field, kind))
      .map(({ name }) => name)
      .filter((name) => ACTIONS.includes(kind) || !ofActions.includes(name))
      .filter((name) => ACTIONS.includes(kind) || kind === 'clics' || !ofVisits.includes(name));
    const empty = expected.filter((name) =>
      rows.every((row) => row[name as keyof DemoTransaction] === null),
    );
    expect(empty).toEqual([]);
  }
});

test('identifiers are unique and grow with the date of creation', () => {
  const follows = (row: DemoTransaction, before: DemoTransaction | undefined) =>
    before === undefined ||
    (row.transaction_id > before.transaction_id && row.created_at >= before.created_at);
  expect(year.filter((row, at) => !follows(row, year[at - 1]))).toEqual([]);
});

test('the transactions are those of the days that end with the last day', () => {
  const days = new Set(year.map(({ created_at }) => created_at.slice(0, 10)));
  expect(year).toHaveLength(ROWS);
  expect(days.size).toBe(365);
  expect([...days].at(0)).toBe(FIRST_DAY);
  expect([...days].at(-1)).toBe(LAST_DAY);
});

test('every date exists on the clocks of Paris and of UTC', () => {
  const dates = new Set(year.flatMap((row) => DATES.map((name) => row[name] ?? row.created_at)));
  const doesNotExist = [...dates].filter((date) => {
    const written = Temporal.PlainDateTime.from(date, { overflow: 'reject' });
    // Paris skips an hour on this day only, so times of other days need no conversion.
    if (!date.startsWith('2026-03-29')) return false;
    return !written.toZonedDateTime('Europe/Paris').toPlainDateTime().equals(written);
  });
  expect(doesNotExist).toEqual([]);
  expect([...dates].filter((date) => date.startsWith('2026-03-29 03')).length).toBeGreaterThan(0);
});

test('the hour that the clock skips in March is recognised in 2025 and 2026', () => {
  expect(isSkipped(midnightOf('2025-03-30') + 2.5 * 3_600)).toBe(true);
  expect(isSkipped(midnightOf('2026-03-29') + 2 * 3_600)).toBe(true);
  expect(isSkipped(midnightOf('2026-03-29') + 3 * 3_600)).toBe(false);
  expect(isSkipped(midnightOf('2026-03-22') + 2 * 3_600)).toBe(false);
});

test('sales follow their clicks within 30 days', () => {
  const isRight = ({ first_click, last_click, created_at }: DemoTransaction) =>
    first_click !== null &&
    last_click !== null &&
    first_click <= last_click &&
    last_click <= created_at &&
    daysBetween(first_click, created_at) <= 30;
  expect(exceptions(sales, isRight)).toEqual([]);
  expect(shareOf(sales, (row) => row.first_click !== row.last_click)).toBeGreaterThan(0.3);
});

test('a lead or sale follows a click of its own on the same page, by the same visitor', () => {
  const shared = ['program_id', 'publisher_id', 'support_id', 'subid', 'ip_address'] as const;
  const same = [...shared, 'country', 'device_type', 'browser', 'referer'] as const;
  const clicks = new Map(
    year.filter(({ type }) => type === 'clics').map((click) => [click.clickid, click]),
  );
  const known = actions.filter(({ clickid }) => clickid !== null);
  expect(known.length / actions.length).toBeGreaterThan(0.95);
  const isRight = (action: DemoTransaction) => {
    const click = clicks.get(action.clickid);
    if (click === undefined || click.total !== 1) return false;
    const isHere = same.every((name) => click[name] === action[name]);
    return isHere && daysBetween(click.created_at, action.created_at) <= 30;
  };
  expect(exceptions(known, isRight)).toEqual([]);
});

/** Leads and sales per hundred clicks. */
function conversionOf(rows: readonly DemoTransaction[]): number {
  const clicks = rows.reduce((sum, row) => sum + (row.type === 'clics' ? (row.total ?? 0) : 0), 0);
  return (100 * rows.filter(({ type }) => ACTIONS.includes(type)).length) / clicks;
}

test('of a hundred clicks two to four convert, more on desktops and by some campaigns', () => {
  expect(conversionOf(year)).toBeGreaterThan(2);
  expect(conversionOf(year)).toBeLessThan(4);
  const on = (device: string) => conversionOf(year.filter((row) => row.device_type === device));
  expect(on('desktop')).toBeGreaterThan(1.5 * on('mobile'));
  const by = (subid: string) => conversionOf(year.filter((row) => row.subid === subid));
  expect(by('newsletter_soldes')).toBeGreaterThan(2 * by('tiktok_test2'));
});

test('a sale belongs to the publisher of the click that it is attributed to', () => {
  const labels = ['Last click', 'First click', 'Split'];
  const isRight = (row: DemoTransaction) => {
    if (row.share_label !== labels[row.share ?? -1]) return false;
    if (row.share === 0) return row.last_referer === row.referer;
    if (row.share === 1) return row.first_referer === row.referer;
    return row.first_referer === row.referer || row.last_referer === row.referer;
  };
  expect(exceptions(sales, isRight)).toEqual([]);
  expect(new Set(sales.map(({ share }) => share)).size).toBe(3);
  const shared = sales.filter(({ share }) => share !== 0);
  expect(shareOf(shared, (row) => row.first_referer !== row.last_referer)).toBeGreaterThan(0.8);
});

test('numbers have no more decimals than the platform stores', () => {
  const places = (name: 'amount' | 'remu_program' | 'remu_publisher', digits: number) =>
    exceptions(year, (row) =>
      new RegExp(`^\\d+(\\.\\d{1,${digits}})?$`).test(String(row[name] ?? 0)),
    );
  expect(places('amount', 2)).toEqual([]);
  expect(places('remu_program', 4)).toEqual([]);
  expect(places('remu_publisher', 4)).toEqual([]);
});

test('the publisher earns what the model of the program says, and the program pays 20 to 30 % more', () => {
  const programs = new Map(platform.programs.map((program) => [program.id, program]));
  const isRight = ({ type, program_id, remu_program, remu_publisher, amount }: DemoTransaction) => {
    const commission = programs.get(program_id)?.commission;
    const [all, part] = [remu_program ?? -1, remu_publisher ?? -1];
    const due = (amount ?? 0) * (commission?.model === 'percentage' ? commission.percent / 100 : 0);
    if (type === 'sales' && Math.abs(part - due) > 0.0001) return false;
    if (type === 'leads' && !(commission?.model === 'lead' && part === commission.price))
      return false;
    return all >= part * 1.2 - 0.0001 && all <= part * 1.3 + 0.0001;
  };
  expect(exceptions(year, isRight)).toEqual([]);
  const paidFor = new Set(year.filter((row) => row.remu_publisher !== 0).map(({ type }) => type));
  expect([...paidFor].sort()).toEqual(['clics', 'impressions', 'leads', 'sales']);
});

test('of a hundred impressions 0.5 to 3 are clicked, and few clicks are double clicks', () => {
  const count = (kind: string) =>
    year.reduce((sum, { type, total }) => sum + (type === kind ? (total ?? 0) : 0), 0);
  const rate = count('clics') / count('impressions');
  expect(rate).toBeGreaterThan(0.005);
  expect(rate).toBeLessThan(0.03);
  expect(count('dbclicks') / count('clics')).toBeLessThan(0.1);
});

test('IP addresses are reserved ones, and some are IPv6', () => {
  const addresses = year.flatMap(({ ip_address }) => ip_address ?? []);
  const reserved = /^(198\.1[89](\.\d{1,3}){2}|2001:db8(:[1-9a-f][0-9a-f]{0,3}){6})$/;
  expect(addresses.filter((address) => !reserved.test(address))).toEqual([]);
  expect(addresses.some((address) => address.includes(':'))).toBe(true);
});

test('websites are under the reserved domain', () => {
  const referers = year.flatMap((row) => [row.referer, row.first_referer, row.last_referer]);
  const elsewhere = referers.filter(
    (referer) => referer !== null && !new URL(referer).hostname.endsWith('.example'),
  );
  expect(elsewhere).toEqual([]);
});

test('most visitors are in France', () => {
  const france = shareOf(year, ({ country }) => country === 'FR');
  expect(france).toBeGreaterThan(0.6);
  expect(new Set(year.map(({ country }) => country)).size).toBe(11);
});

test('supports belong to one website each', () => {
  const supports = new Set(year.map(({ support_id }) => support_id));
  const places = new Set(year.map((row) => `${row.publisher_id} ${row.support_id}`));
  expect(places.size).toBe(supports.size);
  expect(supports.size).toBeGreaterThan(2 * platform.websites.length);
});
