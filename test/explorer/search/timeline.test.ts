import { describe, expect, test } from 'vitest';
import { timelineOf } from '../../../explorer/src/table/row/timeline.ts';

const DATES = {
  first_click: '2026-01-01 10:00:00',
  last_click: '2026-01-02 10:00:00',
  created_at: '2026-01-02 10:05:00',
};

const eventsOf = (...given: Parameters<typeof timelineOf>) =>
  timelineOf(...given).map(({ event, at }) => `${event} ${at.slice(0, 10)}`);

describe('the timeline of a transaction', () => {
  test('has the dates of its record, oldest first', () => {
    const row = {
      ...DATES,
      validation_date: '2026-02-01 00:00:00',
      updated_at: '2026-02-03 00:00:00',
    };
    expect(eventsOf(row, 1)).toEqual([
      'firstClick 2026-01-01',
      'lastClick 2026-01-02',
      'created 2026-01-02',
      'validated 2026-02-01',
      'changed 2026-02-03',
    ]);
  });

  test('has two equal clicks once, and leaves out a change at the time of another event', () => {
    const row = { ...DATES, first_click: DATES.last_click, updated_at: DATES.created_at };
    expect(eventsOf({ ...row, validation_date: null }, 2)).toEqual([
      'lastClick 2026-01-02',
      'created 2026-01-02',
    ]);
  });

  test('has the last change of a refused transaction, whose record has no date of the refusal', () => {
    const row = { created_at: DATES.created_at, updated_at: '2026-03-01 00:00:00' };
    expect(eventsOf(row, 0)).toEqual(['created 2026-01-02', 'refused 2026-03-01']);
  });

  test('is empty without dates', () => {
    expect(eventsOf({}, undefined)).toEqual([]);
  });
});
