import { expect, test } from 'vitest';
import { ACTIONS, COUNTED } from '../../src/contract/record/kinds.ts';
import type { DemoTransaction } from '../../src/demo/transactions/tracking-event.ts';
import {
  actions,
  daysBetween,
  exceptions,
  LAST_DAY,
  platform,
  shareOf,
  year,
} from './demo-year.ts';

const END = `${LAST_DAY} 23:59:59`;

test('a transaction has a validation date exactly when it is validated, and none in the future', () => {
  const isRight = ({ status, validation_date, created_at }: DemoTransaction) =>
    status === '1'
      ? validation_date !== null && validation_date >= created_at && validation_date <= END
      : validation_date === null;
  expect(exceptions(year, isRight)).toEqual([]);
});

test('updated_at is the date of creation of a pending transaction, and of the decision on any other', () => {
  const isRight = ({ status, validation_date, created_at, updated_at }: DemoTransaction) => {
    if (status === '2') return updated_at === created_at;
    if (status === '1') return updated_at === validation_date;
    return updated_at > created_at && updated_at <= END;
  };
  expect(exceptions(year, isRight)).toEqual([]);
});

test('leads and sales are decided on after 5 to 45 days, and about a tenth is refused', () => {
  const decided = actions.filter(({ status }) => status !== '2');
  const delays = decided.map(({ created_at, updated_at }) => daysBetween(created_at, updated_at));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...delays)).toBeLessThanOrEqual(45);
  const refused = shareOf(decided, ({ status }) => status === '0');
  expect(refused).toBeGreaterThan(0.08);
  expect(refused).toBeLessThan(0.12);
  const young = actions.filter(({ created_at }) => created_at > '2026-06-26');
  expect(exceptions(young, ({ status }) => status === '2')).toEqual([]);
});

test('rows that count events are mostly validated at once', () => {
  const counted = year.filter(({ type }) => COUNTED.includes(type));
  const atOnce = shareOf(counted, (row) => row.validation_date === row.created_at);
  expect(atOnce).toBeGreaterThan(0.9);
  expect(atOnce).toBeLessThan(1);
});

test('validated transactions are paid after 60 days, and leads and sales are invoiced', () => {
  const isOld = ({ created_at }: DemoTransaction) => daysBetween(created_at, END) >= 60;
  const isRight = (row: DemoTransaction) => {
    const settled = row.status === '1' && isOld(row);
    const paid = row.payment_id?.match(/^PAY-202[56]-\d{4}$/) ?? null;
    const invoiced = row.invoice_id?.match(/^INV-202[56]-\d{4}$/) ?? null;
    return (
      (paid !== null) === settled && (invoiced !== null) === (settled && ACTIONS.includes(row.type))
    );
  };
  expect(exceptions(year, isRight)).toEqual([]);
});

test('a payment belongs to one affiliate, and an invoice to one program', () => {
  const owners = new Map(platform.websites.map(({ id, owner }) => [id, owner]));
  const payments = new Set(
    year.map((row) => row.payment_id && `${row.payment_id} ${owners.get(row.publisher_id)}`),
  );
  const invoices = new Set(
    year.map((row) => row.invoice_id && `${row.invoice_id} ${row.program_id}`),
  );
  expect(payments.size).toBe(new Set(year.map(({ payment_id }) => payment_id)).size);
  expect(invoices.size).toBe(new Set(year.map(({ invoice_id }) => invoice_id)).size);
});
