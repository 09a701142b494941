import { expect, test } from 'vitest';
import { emptyIfNull } from '../../../src/ingest/checks/text-columns.ts';
import { DATE_ORDERS } from '../../../src/ingest/dialect/dialect.ts';
import { mappedColumns } from '../../../src/ingest/files/mapping.ts';

const CASES = DATE_ORDERS.flatMap((dates) =>
  [undefined, 'America/New_York'].map((timeZone) => ({ dates, timeZone })),
);

// A statement has up to five dates, and planning a date that is repeated in it takes a second.
test.each(CASES)('the SQL of a date in $dates parses it once (time zone: $timeZone)', (written) => {
  const { dates, timeZone } = written;
  const columns = mappedColumns(new Map([['day', 'day']]), {
    mapping: { fields: { created_at: { from: 'day' } }, timeZone },
    dialect: { dates, numbers: undefined },
  });
  const text = emptyIfNull(columns.get('created_at') ?? '');
  const patterns = dates === 'YYYY-MM-DD' ? 1 : 2;
  expect(text.match(/extractGroups\(/g)).toHaveLength(patterns);
});
