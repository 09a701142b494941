import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { readParquet } from '../../support/databases/read-back.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { awkwardInsert } from '../../support/rows/awkward-row.ts';

const QUESTION = 'type=sales&start_date=2025-12-31&end_date=2026-01-02&format=parquet';
const KNOWN = { publisher_id: '100', country: "'FR'", ip_address: "'2001:db8::1'" };

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let token: string;
  /** Rows that are imported after the end of the page was determined and before its file is written. */
  let late: number[] = [];

  const insert = async (identifiers: readonly number[]) => {
    for (const identifier of identifiers) {
      const row = { ...KNOWN, transaction_id: String(identifier) };
      await service.database.engine.execute(plainStatement(awkwardInsert('sales', row)));
    }
  };

  const withLateRows = (reader: Reader): Reader => ({
    servers: reader.servers,
    rows: (...question) => reader.rows(...question),
    async *read(statement, signal) {
      if (statement.file !== undefined) await insert(late.splice(0));
      yield* reader.read(statement, signal);
    },
  });

  beforeAll(async () => {
    service = await startService({
      store,
      parts: (parts) => ({ ...parts, reader: withLateRows(parts.reader) }),
    });
    token = await service.token({});
    await insert([10, 20, 30]);
  });

  afterAll(async () => await service.close());

  async function pageOf(more: string) {
    const answer = await service.get(`/api/admin/transactions?${QUESTION}&${more}`, token);
    const { rows } = await readParquet(new Uint8Array(await answer.arrayBuffer()));
    return {
      identifiers: rows.map(({ transaction_id }) => transaction_id),
      isLast: !answer.headers.has('link'),
    };
  }

  test('the last page has no rows that were imported while its file was written', async () => {
    late = [40, 50];
    expect(await pageOf('limit=3')).toEqual({ identifiers: [10, 20, 30], isLast: true });
    expect(await pageOf('limit=3')).toEqual({ identifiers: [10, 20, 30], isLast: false });
  });

  test('the last page in descending order has no rows that were imported while its file was written', async () => {
    late = [5];
    expect(await pageOf('limit=5&order=desc')).toEqual({
      identifiers: [50, 40, 30, 20, 10],
      isLast: true,
    });
  });

  test('an empty page stays empty if a row is imported while its file is written', async () => {
    late = [60];
    expect(await pageOf('limit=1&transaction_id=60')).toEqual({ identifiers: [], isLast: true });
    expect(await pageOf('limit=1&transaction_id=60')).toEqual({ identifiers: [60], isLast: true });
  });
});
