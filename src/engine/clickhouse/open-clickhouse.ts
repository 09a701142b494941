/** Opens ClickHouse servers, and loads their client only then, because commands on an embedded database need none. */

import type { ClickHouseAddress } from './clickhouse-address.ts';
import type { ClickHouseEngine } from './clickhouse-engine.ts';

export async function openClickHouse(address: ClickHouseAddress): Promise<ClickHouseEngine> {
  const clickhouse = await import('./clickhouse-engine.ts');
  return new clickhouse.ClickHouseEngine(address);
}
