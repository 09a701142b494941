import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient as createPlainClient } from '../../client/src/index.ts';
import {
  CannotResume,
  ConnectionCut,
  createClient,
  type Fetch,
  FileInUse,
  type Progress,
} from '../../client/src/node/index.ts';
import { PartFile } from '../../client/src/node/part-file.ts';
import { FORMAT_NAMES } from '../../src/contract/query/formats.ts';
import { insertManySales } from '../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';

const ROWS = fullOrShort(5900, 2900);
/** The last page is not full. */
const PAGES = Math.ceil(ROWS / 500);
/** The pages that a process writes before it is killed. */
const WRITTEN = fullOrShort(7, 3);
const DAY = { type: 'sales', start_date: '2026-03-01', end_date: '2026-03-01' } as const;
const LINES = { ...DAY, format: 'ndjson' } as const;
const EMPTY = { ...LINES, type: 'leads' } as const;

let service: TestService;
let proxy: CuttingProxy;
let token: string;
let folder: string;
let file: string;
/** The complete response of each format, read without the client. */
const whole: Record<string, Buffer> = {};

beforeAll(async () => {
  service = await startService();
  await insertManySales(service.database.engine, ROWS);
  token = await service.token({});
  for (const form of [...FORMAT_NAMES, 'csv&csv=excel']) {
    const path = `/api/admin/transactions?${new URLSearchParams(DAY)}&format=${form}`;
    whole[form] = Buffer.from(await (await service.get(path, token)).arrayBuffer());
  }
});

afterAll(async () => await service.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  file = join(folder, 'sales');
  proxy = await startCuttingProxy(service.url, 'GET /api/admin');
});

afterEach(async () => {
  await proxy.close();
  await rm(folder, { recursive: true, force: true });
});

const transactionsAt = (baseUrl: string, more: { fetch?: Fetch; retries?: number } = {}) =>
  createClient({ baseUrl, token, ...more }).admin.transactions;

/** Records the requested cursors. */
function recordingFetch(): { fetch: Fetch; cursors: (string | null)[] } {
  const cursors: (string | null)[] = [];
  const fetch: Fetch = async (url, init) => {
    cursors.push(new URL(url).searchParams.get('cursor'));
    return await globalThis.fetch(url, init);
  };
  return { fetch, cursors };
}

/** The permission bits of a file in the folder. */
const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777;

/** Leaves a partial file with checkpoints for some pages. */
async function leavePart(pages: number): Promise<void> {
  let left = pages;
  const onProgress = () => {
    left -= 1;
    if (left === 0) throw new Error('left');
  };
  const options = { pageSize: 500, onProgress };
  await expect(transactionsAt(service.url).download(LINES, file, options)).rejects.toThrow('left');
  expect((await readdir(folder)).sort()).toEqual(['sales.part', 'sales.part.json']);
  for (const name of await readdir(folder)) expect(await modeOf(name)).toBe(0o600);
}

describe('a download to a file', () => {
  test.each(FORMAT_NAMES)('of %s equals the response of the service', async (format) => {
    const progress: number[] = [];
    const totals = new Set<number | undefined>();
    const onProgress = ({ bytes, total }: Progress) => {
      progress.push(bytes);
      totals.add(total);
    };
    const transactions = transactionsAt(service.url);
    const options = { pageSize: 5000, onProgress };
    const { bytes } = await transactions.download({ ...DAY, format }, file, options);
    const written = await readFile(file);
    expect(bytes).toBe(written.length);
    expect(await modeOf('sales')).toBe(0o600);
    expect(progress.at(-1)).toBe(bytes);
    expect(progress).toEqual([...progress].sort((one, other) => one - other));
    const isOfKnownLength = format === 'parquet' || format === 'arrow';
    expect([...totals]).toEqual([isOfKnownLength ? bytes : undefined]);
    if (isOfKnownLength) {
      // The engine writes different bytes each time.
      expect(written.subarray(0, 4)).toEqual(whole[format]?.subarray(0, 4));
      expect(written.subarray(-4)).toEqual(whole[format]?.subarray(-4));
    } else expect(written.equals(whole[format] ?? Buffer.of())).toBe(true);
    expect(await readdir(folder)).toEqual(['sales']);
  });

  test('of CSV for spreadsheets has one header', async () => {
    const question = { ...DAY, format: 'csv', csv: 'excel' } as const;
    await transactionsAt(service.url).download(question, file, { pageSize: 1000 });
    expect((await readFile(file)).equals(whole['csv&csv=excel'] ?? Buffer.of())).toBe(true);
  });

  test('without rows leaves an empty file', async () => {
    await transactionsAt(service.url).download(EMPTY, pathToFileURL(file));
    expect(await readFile(file, 'utf8')).toBe('');
  });

  test('of any format is complete, although the connection closes again and again', async () => {
    const formats = everyNth(['ndjson', 'csv', 'json', 'parquet'] as const, 2, 1);
    // In parallel, because most of the time is pauses between retries.
    const downloads = formats.map(async (format) => {
      const cutting = await startCuttingProxy(service.url, 'GET /api/admin');
      cutting.cutNext([1, 500, 5000, 20_000]);
      const place = join(folder, format);
      await transactionsAt(cutting.url, { retries: 4 }).download({ ...DAY, format }, place);
      await cutting.close();
      return { format, cuts: cutting.cuts, size: (await stat(place)).size };
    });
    const expected = formats.map((format) => ({ format, cuts: 4, size: whole[format]?.length }));
    expect(await Promise.all(downloads)).toEqual(expected);
  });

  test.each(['ndjson', 'json', 'arrow'] as const)(
    'of %s passes on an error of the callback onProgress, without a retry',
    async (format) => {
      const { fetch, cursors } = recordingFetch();
      const mistake = new Error('of the caller');
      const onProgress = () => {
        throw mistake;
      };
      const transactions = transactionsAt(service.url, { fetch });
      const options = { onProgress, pageSize: 10_000 };
      const download = transactions.download({ ...DAY, format }, file, options);
      await expect(download).rejects.toBe(mistake);
      expect(cursors.filter((cursor) => cursor === null).length).toBe(1);
    },
  );

  test('passes on an error of the disk', async () => {
    const inNoFolder = join(folder, 'none', 'sales');
    const download = transactionsAt(service.url).download({ ...DAY, format: 'json' }, inNoFolder);
    await expect(download).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that fails leaves no new file, and keeps an existing one', async () => {
    await writeFile(file, 'of yesterday');
    proxy.cutNext([5000, 5000]);
    const download = transactionsAt(proxy.url, { retries: 1 }).download(LINES, file);
    await expect(download).rejects.toBeInstanceOf(ConnectionCut);
    expect(await readFile(file, 'utf8')).toBe('of yesterday');
  });
});

describe('a partial file', () => {
  const finish = async () => {
    const { fetch, cursors } = recordingFetch();
    await transactionsAt(service.url, { fetch }).download(LINES, file, { pageSize: 500 });
    expect((await readFile(file)).equals(whole.ndjson ?? Buffer.of())).toBe(true);
    expect(await readdir(folder)).toEqual(['sales']);
    return cursors;
  };

  test('of a killed process is resumed after its last complete page', async () => {
    const script = fileURLToPath(
      new URL('../support/programs/client-download.ts', import.meta.url),
    );
    const child = spawn(process.execPath, [script, service.url, token, file, String(WRITTEN)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [bytes] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await stat(`${file}.part`)).size).toBe(Number(bytes));
    const cursors = await finish();
    expect(cursors[0]).not.toBeNull();
    expect(cursors.length).toBe(PAGES - WRITTEN);
  });

  test('that is longer than its checkpoint is resumed at the checkpoint', async () => {
    await leavePart(3);
    // Longer than the rest of the list, so that the file must be truncated, not only overwritten.
    await appendFile(`${file}.part`, 'x'.repeat(whole.ndjson?.length ?? 0));
    expect((await finish()).length).toBe(PAGES - 3);
  });

  // Only in the full run. In `npm test`, the tests above resume partial files.
  test.runIf(IS_FULL)('that is complete is renamed without a request', async () => {
    await leavePart(PAGES);
    expect(await finish()).toEqual([]);
  });

  // Only in the full run. In `npm test`, the test `of another token` below uses the option `restart`.
  test.runIf(IS_FULL)('is replaced with the option restart', async () => {
    await leavePart(3);
    const { fetch, cursors } = recordingFetch();
    await transactionsAt(service.url, { fetch }).download(LINES, file, { restart: true });
    expect(cursors[0]).toBeNull();
    expect((await readFile(file)).equals(whole.ndjson ?? Buffer.of())).toBe(true);
  });

  // Only in the full run. In `npm test`, the test `of another token` below replaces a partial file.
  test.runIf(IS_FULL)('without a checkpoint is replaced', async () => {
    await leavePart(3);
    await rm(`${file}.part.json`);
    expect((await finish())[0]).toBeNull();
  });

  test.each([
    ['that was changed', async () => await overwrite(100)],
    ['that was shortened', async () => await writeFile(`${file}.part`, '{}\n')],
    [
      'with an unknown checkpoint',
      async () => await writeFile(`${file}.part.json`, '{"version":2}'),
    ],
  ])('%s is refused and left unchanged', async (_, change) => {
    await leavePart(3);
    await change();
    const before = await readFile(`${file}.part`);
    const download = transactionsAt(service.url).download(LINES, file);
    await expect(download).rejects.toThrow(CannotResume);
    await expect(download).rejects.toThrow('restart');
    expect((await readFile(`${file}.part`)).equals(before)).toBe(true);
  });

  const overwrite = async (at: number) => {
    const part = await open(`${file}.part`, 'r+');
    await part.write('x', at);
    await part.close();
  };

  test.each([
    { ...LINES, order: 'desc' },
    { ...LINES, program_id: 10 },
    { ...LINES, format: 'csv' },
  ] as const)('is refused for another query, %j', async (question) => {
    await leavePart(3);
    const download = transactionsAt(service.url).download(question, file);
    await expect(download).rejects.toThrow(CannotResume);
  });

  test('of another token is refused, and replaced with the option restart', async () => {
    await leavePart(3);
    const before = await readFile(`${file}.part`);
    const renewed = createClient({ baseUrl: service.url, token: await service.token({}) });
    const { transactions } = renewed.admin;
    const error = await transactions.download(LINES, file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CannotResume);
    expect(String(error)).toMatch(/another token .* restart/);
    expect(error).toMatchObject({ cause: { errors: [{ parameter: 'cursor' }] } });
    expect((await readFile(`${file}.part`)).equals(before)).toBe(true);
    await transactions.download(LINES, file, { restart: true });
    expect((await readFile(file)).equals(whole.ndjson ?? Buffer.of())).toBe(true);
  });

  test('and its checkpoint contain no token', async () => {
    await leavePart(3);
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain(token.slice(4, 30));
    }
  });
});

describe('several downloads to one file', () => {
  const lock = () => `${file}.part.lock`;

  test.each(everyNth(['ndjson', 'json'] as const, 2))(
    'as %s: the second is refused',
    async (format) => {
      const transactions = transactionsAt(service.url);
      const question = { ...DAY, format } as const;
      const seconds: Promise<unknown>[] = [];
      const onProgress = () => {
        if (seconds.length > 0) return;
        const second = transactions.download(question, pathToFileURL(file), { restart: true });
        seconds.push(second.catch((error: unknown) => error));
      };
      await transactions.download(question, file, { pageSize: 500, onProgress });
      const [refusal] = await Promise.all(seconds);
      expect(refusal).toBeInstanceOf(FileInUse);
      expect(String(refusal)).toContain(`process ${process.pid} on`);
      expect((await readFile(file)).equals(whole[format] ?? Buffer.of())).toBe(true);
      expect(await readdir(folder)).toEqual(['sales']);
    },
  );

  test('the second is refused, although the computed start of the process has changed', async () => {
    const transactions = transactionsAt(service.url);
    const uptime = process.uptime();
    let second: Promise<unknown> | undefined;
    const onProgress = () => {
      if (second !== undefined) return;
      vi.spyOn(process, 'uptime').mockReturnValue(uptime - 60);
      second = transactions.download(LINES, file).catch((error: unknown) => error);
    };
    try {
      await transactions.download(LINES, file, { pageSize: 500, onProgress });
      expect(await second).toBeInstanceOf(FileInUse);
    } finally {
      vi.restoreAllMocks();
    }
  });

  // Only in the full run. In `npm test`, a test above resumes the file of a killed process, and one below has the lock
  // of a running process.
  test.runIf(IS_FULL)(
    'in two processes: the second is refused and does not disturb the first',
    async () => {
      const script = fileURLToPath(
        new URL('../support/programs/client-download.ts', import.meta.url),
      );
      const child = spawn(process.execPath, [script, service.url, token, file, '3'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      const before = await readFile(`${file}.part`);
      const second = transactionsAt(service.url).download(LINES, file);
      await expect(second).rejects.toBeInstanceOf(FileInUse);
      expect((await readFile(`${file}.part`)).equals(before)).toBe(true);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await transactionsAt(service.url).download(LINES, file);
      expect(await readdir(folder)).toEqual(['sales']);
    },
  );

  const started = Math.round(Date.now() / 1000 - process.uptime());
  const own = { id: 'x', host: hostname(), pid: process.pid, started };

  test.each([
    ['this process', own, 600, true],
    ['a running process', { ...own, pid: process.ppid }, 60, true],
    ['a running process that does not renew it', { ...own, pid: process.ppid }, 180, false],
    ['an earlier process with this id', { ...own, started: started - 60 }, 0, false],
    ['another machine', { ...own, host: 'elsewhere' }, 60, true],
    ['another machine that no longer renews it', { ...own, host: 'elsewhere' }, 180, false],
    ['an unknown process', undefined, 0, true],
    ['an unknown process that has crashed', undefined, 10, false],
  ])('the lock of %s holds until it expires', async (_, holder, age, isHeld) => {
    await writeFile(lock(), holder === undefined ? '' : JSON.stringify(holder));
    const renewed = Date.now() / 1000 - age;
    await utimes(lock(), renewed, renewed);
    const download = transactionsAt(service.url).download(EMPTY, file);
    if (isHeld) await expect(download).rejects.toBeInstanceOf(FileInUse);
    else await download;
    expect(await readdir(folder)).toEqual([isHeld ? 'sales.part.lock' : 'sales']);
  });

  test('an empty file that could not be renamed is completed by the next download', async () => {
    await mkdir(file);
    await expect(transactionsAt(service.url).download(EMPTY, file)).rejects.toThrow();
    await rmdir(file);
    await transactionsAt(service.url).download(EMPTY, file);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  test('a lock that cannot be written is removed', async () => {
    const script = fileURLToPath(
      new URL('../support/programs/client-download.ts', import.meta.url),
    );
    const limited = ['ulimit -f 0; exec "$@"', 'sh', process.execPath, script];
    const child = spawn('sh', ['-c', ...limited, service.url, token, file, '1']);
    const [refusal] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(refusal).toContain('EFBIG');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a process that was suspended before it wrote the text of its lock notices that another has it', async () => {
    const other = await open(join(folder, 'other'), 'w');
    await other.close();
    const { writeFile: write } = other;
    vi.spyOn(Object.getPrototypeOf(other), 'writeFile').mockImplementationOnce(async function (
      this: unknown,
      ...given
    ) {
      await rm(lock());
      await writeFile(lock(), JSON.stringify({ ...own, pid: process.ppid }));
      await Reflect.apply(write, this, given);
    });
    try {
      const opened = PartFile.open(file, 'the query', { restart: true });
      await expect(opened).rejects.toBeInstanceOf(FileInUse);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('exactly one takes over an expired lock and writes', async () => {
    await writeFile(lock(), JSON.stringify({ ...own, started: started - 60 }));
    const downloads = Array.from({ length: 8 }, async () => {
      return await transactionsAt(service.url).download(LINES, file, { pageSize: 5000 });
    });
    const outcomes = await Promise.allSettled(downloads);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await readFile(file)).equals(whole.ndjson ?? Buffer.of())).toBe(true);
    expect(await readdir(folder)).toEqual(['sales']);
  });

  test('a download that has lost its lock while it was suspended writes nothing more', async () => {
    const part = await PartFile.open(file, 'the query', { restart: true });
    await part.append(Buffer.from('one'));
    await writeFile(lock(), JSON.stringify({ ...own, id: 'of another' }));
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 180_000);
    try {
      await expect(part.append(Buffer.from('two'))).rejects.toBeInstanceOf(FileInUse);
      await expect(part.clear()).rejects.toBeInstanceOf(FileInUse);
    } finally {
      vi.restoreAllMocks();
      await part.close();
    }
    expect(await readFile(`${file}.part`, 'utf8')).toBe('one');
  });

  test('a download that has lost its lock stops writing', async () => {
    const onProgress = () => writeFileSync(lock(), JSON.stringify({ ...own, id: 'of another' }));
    const options = { pageSize: 500, onProgress };
    const download = transactionsAt(service.url).download(LINES, file, options);
    await expect(download).rejects.toBeInstanceOf(FileInUse);
    expect((await readdir(folder)).sort()).toEqual([
      'sales.part',
      'sales.part.json',
      'sales.part.lock',
    ]);
  });
});

describe('a truncated response without an error', () => {
  /** A `fetch` that truncates the first `halved` responses at half their length. */
  function halving(halved: number) {
    let left = halved;
    const fetch: Fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init);
      left -= 1;
      if (left < 0) return response;
      const bytes = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response(bytes.slice(0, bytes.byteLength / 2), { status, headers });
    };
    return fetch;
  }

  const ONE_ANSWER = ['json', 'parquet', 'arrow'] as const;

  test.each(everyNth(ONE_ANSWER, 3, 1))('of %s is requested again', async (format) => {
    const question = { ...DAY, format } as const;
    await transactionsAt(service.url, { fetch: halving(1) }).download(question, file);
    expect((await stat(file)).size).toBe(whole[format]?.length);
  });

  test.each(everyNth(ONE_ANSWER, 3, 2))('of %s leaves only the partial file', async (format) => {
    const transactions = transactionsAt(service.url, { fetch: halving(2), retries: 1 });
    const download = transactions.download({ ...DAY, format }, file);
    await expect(download).rejects.toBeInstanceOf(ConnectionCut);
    expect(await readdir(folder)).toEqual(['sales.part']);
  });

  test('aborts the stream', async () => {
    const { admin } = createPlainClient({ baseUrl: service.url, token, fetch: halving(1) });
    const aborted: unknown[] = [];
    const stream = new WritableStream({ abort: (reason) => void aborted.push(reason) });
    const download = admin.transactions.download({ ...DAY, format: 'json' }, stream);
    await expect(download).rejects.toBeInstanceOf(ConnectionCut);
    expect(aborted).toEqual([expect.any(ConnectionCut)]);
  });
});

describe('a download to a stream', () => {
  const plainAt = (baseUrl: string) =>
    createPlainClient({ baseUrl, token, retries: 1 }).admin.transactions;

  function collecting() {
    const chunks: Uint8Array[] = [];
    const outcome: unknown[] = [];
    const stream = new WritableStream<Uint8Array>({
      write: (chunk) => void chunks.push(chunk),
      close: () => void outcome.push('closed'),
      abort: (reason) => void outcome.push(reason),
    });
    return { stream, outcome, bytes: () => Buffer.concat(chunks) };
  }

  test.each(['ndjson', 'csv', 'json'] as const)(
    'of %s equals the response of the service',
    async (format) => {
      const { stream, outcome, bytes } = collecting();
      await plainAt(service.url).download({ ...DAY, format }, stream, { pageSize: 5000 });
      expect(bytes().equals(whole[format] ?? Buffer.of())).toBe(true);
      expect(outcome).toEqual(['closed']);
    },
  );

  test.each(['parquet', 'arrow'] as const)('of %s reports its total length', async (format) => {
    const { stream, bytes } = collecting();
    const totals: unknown[] = [];
    const onProgress = ({ total }: Progress) => void totals.push(total);
    await plainAt(service.url).download({ ...DAY, format }, stream, { onProgress });
    expect(new Set(totals)).toEqual(new Set([bytes().length]));
  });

  test('is complete, although the connection closes within pages', async () => {
    const { stream, bytes } = collecting();
    proxy.cutNext([50_000]);
    await plainAt(proxy.url).download(LINES, stream);
    expect(proxy.cuts).toBe(1);
    expect(bytes().equals(whole.ndjson ?? Buffer.of())).toBe(true);
  });

  test('aborts the stream if the response is truncated', async () => {
    const { stream, outcome } = collecting();
    proxy.cutNext([50_000]);
    const download = plainAt(proxy.url).download({ ...DAY, format: 'json' }, stream);
    await expect(download).rejects.toBeInstanceOf(ConnectionCut);
    expect(outcome).toEqual([expect.any(ConnectionCut)]);
  });
});
