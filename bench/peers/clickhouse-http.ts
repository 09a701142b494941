/** ClickHouse's own HTTP interface on the same tables. */

import { RECORD_FIELDS } from '../../src/contract/record/records.ts';
import { ClickHouseServer } from '../../test/support/servers/clickhouse-server.ts';
import type { Peer } from './peer.ts';

const settings = 'max_threads=2&do_not_merge_across_partitions_select_final=1';
const order = 'ORDER BY type, created_at, transaction_id';

export async function startClickHouse(directory: string): Promise<{
  readonly rows: Peer;
  readonly rendered: Peer;
  /** The `DATABASE_URL` with which the service uses this server. */
  readonly address: string;
}> {
  const server = await ClickHouseServer.start(directory, undefined, { compiles: true });
  const fields = RECORD_FIELDS.admin.map(({ name }) =>
    name === 'status_label'
      ? "transform(status, [0, 1, 2], ['Refusé', 'Validé', 'En attente'], '') AS status_label"
      : name,
  );
  const url = (text: string) => `${server.url}/?${settings}&query=${encodeURIComponent(text)}`;
  const label = "transform(status, [0, 1, 2], ['Refusé', 'Validé', 'En attente'], '')";
  const stop = async () => await server.kill();
  return {
    address: `clickhouse://default@${server.url.slice('http://'.length)}/default`,
    rows: {
      name: "ClickHouse's own JSONEachRow",
      bulkUrl: url(
        `SELECT ${fields.join(', ')} FROM transactions FINAL WHERE type = 'sales' ${order} FORMAT JSONEachRow`,
      ),
      stop,
    },
    rendered: {
      name: 'curl straight to a ClickHouse server, the rendered columns',
      bulkUrl: url(
        `SELECT ',\\n', record_head, ${label}, record_tail FROM transactions FINAL WHERE type = 'sales' ${order} FORMAT RawBLOB`,
      ),
      stop,
    },
  };
}
