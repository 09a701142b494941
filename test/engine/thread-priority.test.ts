import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Starts two threads before the priorities are set and two afterwards, and prints the nice values by name, compared
 * with that of the main thread, once the last thread has a lower one.
 */
const PROGRAM = `
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { favorMainThread } from './src/engine/thread-priority.ts';
const start = async (name) => {
  const worker = new Worker('setInterval(() => undefined, 1000)', { eval: true, name });
  await once(worker, 'online');
};
const values = () => Object.fromEntries(readdirSync('/proc/self/task').map((thread) => [
  Number(thread) === process.pid ? 'main' : readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim(),
  getPriority(Number(thread)) - getPriority(process.pid),
]));
await start('favored-1');
await start('other-1');
await favorMainThread(['favored-1', 'favored-2']);
await start('favored-2');
await start('other-2');
while (values()['other-2'] === 0) await delay(50);
console.log(JSON.stringify(values()));
process.exit();
`;

test.runIf(process.platform === 'linux')(
  'the main thread and favored threads keep their priority, and others get a lower one, also later ones',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      PROGRAM,
    ]);
    const favored = { main: 0, 'favored-1': 0, 'favored-2': 0 };
    expect(JSON.parse(stdout)).toMatchObject({ ...favored, 'other-1': 5, 'other-2': 5 });
  },
);
