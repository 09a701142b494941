/** A year of demo data, generated once in each test file that uses it. */

import { ACTIONS } from '../../src/contract/record/kinds.ts';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';
import { demoTransactions } from '../../src/demo/transactions/demo-transactions.ts';
import type { DemoTransaction } from '../../src/demo/transactions/tracking-event.ts';

export const FIRST_DAY = '2025-07-01';
export const LAST_DAY = '2026-06-30';
export const ROWS = 60_000;
export const PERIOD = { rows: ROWS, days: 365, lastDay: LAST_DAY };

export const platform = demoPlatform();
export const year = [...demoTransactions(platform, PERIOD)];
export const actions = year.filter(({ type }) => ACTIONS.includes(type));

export const shareOf = (
  rows: readonly DemoTransaction[],
  holds: (row: DemoTransaction) => boolean,
): number => rows.filter(holds).length / rows.length;

/** The first rows that break a rule: a failing test shows them. */
export const exceptions = (
  rows: readonly DemoTransaction[],
  holds: (row: DemoTransaction) => boolean,
): readonly DemoTransaction[] => rows.filter((row) => !holds(row)).slice(0, 3);

const secondsOf = (date: string): number => Date.parse(`${date.replace(' ', 'T')}Z`) / 1000;

export const daysBetween = (early: string, late: string): number =>
  (secondsOf(late) - secondsOf(early)) / 86_400;
