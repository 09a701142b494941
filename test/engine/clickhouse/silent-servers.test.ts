import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClickHouseEngine } from '../../../src/engine/clickhouse/clickhouse-engine.ts';
import { readiness } from '../../../src/http/routes/readiness.ts';
import { Metrics } from '../../../src/metrics/metrics.ts';
import { gatherDatabase } from '../../../src/monitoring/gather-database.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { migrate } from '../../../src/schema/migrations.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { ClickHouseServer } from '../../support/servers/clickhouse-server.ts';
import { startCuttingProxy } from '../../support/servers/cutting-proxy.ts';

/** Longer than the pause of a failed server, in milliseconds. */
const PAUSE = 2500;

let directory: string;
let server: ClickHouseServer;
/** Accepts connections and never answers, like the system of a frozen process. */
let frozen: Server;
const sockets = new Set<Socket>();

const engineAt = (...hosts: readonly string[]): ClickHouseEngine =>
  new ClickHouseEngine({ hosts, username: 'default', password: '', database: 'default' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'silent-servers-'));
  server = await ClickHouseServer.start(directory);
  const engine = engineAt(server.url);
  await migrate(engine, 'UTC');
  await engine.close();
  frozen = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
});

afterAll(async () => {
  await server.kill();
  for (const socket of sockets) socket.destroy();
  frozen.close();
  await rm(directory, { recursive: true, force: true });
});

const frozenUrl = (): string => `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;

const withFrozenFirst = (): ClickHouseEngine => engineAt(frozenUrl(), server.url);

test.concurrent('a frozen server is not tried by each scrape, although scrapes are aborted before its statement is', async () => {
  const engine = withFrozenFirst();
  const metrics = new Metrics();
  const isUp = async () => {
    await gatherDatabase(metrics, engine);
    return /^transactions_database_up (\d)$/m.exec(await metrics.text())?.[1] === '1';
  };
  await expect.poll(isUp, { interval: PAUSE }).toBe(true);
  await sleep(PAUSE);
  expect(await isUp()).toBe(true);
  await engine.close();
});

test.concurrent('a health check is answered although a server is frozen', async () => {
  const engine = withFrozenFirst();
  await readiness(engine)();
  await engine.close();
});

test.concurrent('a health check fails before the five seconds of the container end if all servers are frozen', async () => {
  const engine = engineAt(frozenUrl());
  await expect(readiness(engine)()).rejects.toThrow(`${frozenUrl()} did not answer for 4 seconds.`);
  await engine.close();
});

test.concurrent('a lost ping does not abort a statement', async () => {
  const proxy = await startCuttingProxy(server.url, 'GET /ping');
  proxy.cutNext([0]);
  const engine = engineAt(proxy.url);
  await engine.execute(plainStatement('SELECT sleep(2)'));
  expect(proxy.cuts).toBe(1);
  await engine.close();
  await proxy.close();
});

test('the error of a statement names the server that did not answer, and the statement is stopped', async () => {
  const engine = engineAt(server.url);
  const text = 'SELECT count() FROM numbers(1e12) WHERE sipHash64(number) = 1';
  const executing = engine.execute(plainStatement(text));
  setTimeout(() => server.freeze(true), 500);
  await expect(executing).rejects.toThrow(`${server.url} did not answer for 4 seconds.`);
  server.freeze(false);
  const isRunning = async () =>
    (await runningQueries(engine)).some((query) => query.includes('sipHash64'));
  await expect.poll(isRunning).toBe(false);
  await engine.close();
});
