/**
 * Measures requests per second with wrk, which takes so little CPU time that the service has the machine almost to
 * itself, as if clients were on other machines.
 *
 * A client in Node.js would take as much CPU time for each response as the service does.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A peer may take seconds for a request. */
const TIMEOUT = ['--timeout', '60s'];

/** Different URLs of one measurement. */
export const URLS = 5000;

export interface Load {
  readonly urlOf: (at: number) => string;
  /** The number of the first URL. */
  readonly from: number;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Undefined if wrk is not installed. Throws if a response is an error. */
export async function wrkThroughput(load: Load): Promise<number | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-wrk-'));
  try {
    const script = join(directory, 'requests.lua');
    await writeFile(script, scriptOf(load), { mode: 0o600 });
    const { origin } = new URL(load.urlOf(load.from));
    const args = [
      '-t1',
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      ...TIMEOUT,
      '-s',
      script,
      origin,
    ];
    const { stdout } = await run('wrk', args);
    const [rate, failures] = (/^result (\S+) (\d+)$/m.exec(stdout) ?? []).slice(1).map(Number);
    if (rate === undefined || failures !== 0)
      throw new Error('Not every request of wrk succeeded.');
    return rate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The token is in the script, because other users see the arguments of a process. */
const scriptOf = ({ urlOf, from, token }: Load): string => `local paths = {
${Array.from({ length: URLS }, (_, at) => JSON.stringify(pathOf(urlOf(from + at)))).join(',\n')}
}
local at = 0
wrk.headers["Authorization"] = "Bearer ${token}"
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(summary, latency, requests)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("result %f %d", summary.requests / summary.duration * 1e6, failures))
end
`;

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
