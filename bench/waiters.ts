/** Benchmark of readers that wait for changes (`wait=`): their memory, CPU time and statements. */

import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalOperator } from '../src/control/local-operator.ts';
import { RemoteOperator } from '../src/control/remote-operator.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { Line } from './line.ts';
import { requester, throughput } from './requests.ts';
import { ServerProcess } from './server-process.ts';

const WAITERS = Number(process.env.BENCH_WAITERS ?? 10_000);

/** The number of tokens, each for another website. An import for one website wakes up the readers of one token. */
const TOKENS = 100;

/** The longest wait of the API in seconds. */
const WAIT = 55;
/** Seconds for which readers are measured. */
const SECONDS = 10;

/** Connections that are opened at the same time. */
const AT_A_TIME = 100;

export async function benchWaiters(directory: string): Promise<readonly Line[]> {
  const url = `chdb:${join(directory, 'waiters')}`;
  const tokens = await createTokens(url);
  const settings = {
    MAX_CONNECTIONS: String(2 * WAITERS),
    ADMIN_ADDRESS: '127.0.0.1:0',
    MEMORY_CACHE: '0',
  };
  return await ServerProcess.during(
    url,
    async (server) => await measured(server, url, directory, tokens),
    settings,
  );
}

async function createTokens(url: string): Promise<readonly string[]> {
  const operator = new LocalOperator(await openDatabase({ url, timeZone: 'UTC' }));
  try {
    const tokens: string[] = [];
    while (tokens.length < TOKENS) {
      const created = await operator.createToken({
        role: 'affiliate',
        publisherIds: [tokens.length + 1],
        programIds: [],
        locale: 'en',
      });
      tokens.push(created.token);
    }
    return tokens;
  } finally {
    await operator.close();
  }
}

async function measured(
  server: ServerProcess,
  url: string,
  directory: string,
  tokens: readonly string[],
): Promise<readonly Line[]> {
  const positions = await Promise.all(tokens.map((token) => positionOf(server, token)));
  // Warms the server up. Otherwise the memory for its first requests would count as memory of the readers.
  const request = requester(String(tokens[0]), () => `${server.url}${pathFrom(positions[0], 0)}`);
  await throughput(request, SECONDS);
  await server.idle();
  const unloaded = await stateOf(server);
  await sleep(SECONDS * 1000);
  const before = await stateOf(server);
  const waiters = await startWaiting(server, tokens, positions, WAITERS);
  await server.idle();
  const begun = await stateOf(server);
  await sleep(SECONDS * 1000);
  const waited = await stateOf(server);
  const started = performance.now();
  await importSale(url, directory);
  const imported = performance.now();
  const woken = waiters.filter((_, at) => at % TOKENS === 0);
  await Promise.all(woken.map(({ answered }) => answered));
  const answered = performance.now();
  const others = waiters.filter(({ isAnswered }) => isAnswered).length - woken.length;
  if (others > 0) throw new Error(`${others} readers of other websites were woken up.`);
  for (const { socket } of waiters) socket.destroy();
  return [
    {
      what: `${WAITERS.toLocaleString('en')} readers wait for changes: additional memory`,
      measured: `${(waited.memory - before.memory).toFixed(0)} MB`,
      against: `the server before: ${before.memory.toFixed(0)} MB`,
    },
    {
      what: `— statements in ${SECONDS} s of waiting`,
      measured: String(waited.statements - begun.statements),
      against: `without readers: ${before.statements - unloaded.statements}, all of them for the metrics`,
    },
    {
      what: '— CPU time of the server in a second of waiting',
      measured: `${(cpuOf(begun, waited) * 1000).toFixed(0)} ms`,
      against: `without readers: ${(cpuOf(unloaded, before) * 1000).toFixed(0)} ms`,
    },
    {
      what: `— an import of one sale, with responses to the ${woken.length} readers that it concerns`,
      measured: `${(answered - started).toFixed(0)} ms`,
      against: `the import: ${(imported - started).toFixed(0)} ms`,
    },
  ];
}

const pathFrom = (position: string | undefined, wait: number): string =>
  `/api/affiliate/transactions/changes?type=sales&after=${position ?? ''}${wait === 0 ? '' : `&wait=${wait}`}`;

const cpuOf = (one: State, other: State): number => (other.cpu - one.cpu) / SECONDS;

type State = Awaited<ReturnType<typeof stateOf>>;

const stateOf = async (server: ServerProcess) => ({
  memory: await server.memory('now'),
  statements: await server.metric('transactions_queries_started_total'),
  cpu: await server.metric('process_cpu_seconds_total'),
});

async function positionOf({ url }: ServerProcess, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/affiliate/transactions/changes?type=sales`, { headers });
  const found = /after=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1];
  if (found === undefined) throw new Error(`Status ${response.status} without a position.`);
  return found;
}

interface WaitingReader {
  readonly socket: Socket;
  readonly answered: Promise<unknown>;
  readonly isAnswered: boolean;
}

/** Opens connections that wait. They take the tokens and positions of the websites in turn. */
async function startWaiting(
  server: ServerProcess,
  tokens: readonly string[],
  positions: readonly string[],
  count: number,
): Promise<readonly WaitingReader[]> {
  const readers: WaitingReader[] = [];
  while (readers.length < count) {
    const opened = Array.from({ length: AT_A_TIME }, (_, at) =>
      openReader(server, String(tokens[at % TOKENS]), String(positions[at % TOKENS])),
    );
    readers.push(...(await Promise.all(opened)));
  }
  return readers;
}

async function openReader(
  { url }: ServerProcess,
  token: string,
  position: string,
): Promise<WaitingReader> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject).once('connect', resolve);
  await promise;
  const path = pathFrom(position, WAIT);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`);
  const state = { isAnswered: false };
  const answer = Promise.withResolvers<void>();
  socket.once('data', (bytes: Buffer) => {
    state.isAnswered = true;
    if (bytes.toString('latin1').startsWith('HTTP/1.1 200 ')) answer.resolve();
    else answer.reject(new Error(bytes.toString('latin1')));
  });
  answer.promise.catch(() => undefined);
  return {
    socket,
    answered: answer.promise,
    get isAnswered() {
      return state.isAnswered;
    },
  };
}

/** A sale of the first website. */
async function importSale(url: string, directory: string): Promise<void> {
  const path = join(directory, 'waiters.csv');
  const date = '2026-01-01 12:00:00';
  await writeFile(
    path,
    `type,transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at
sales,1,1,1,1,2,${date},${date}
`,
  );
  const operator = new RemoteOperator(url.slice('chdb:'.length));
  const files = [{ path, name: 'sale.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  await operator.close();
}
