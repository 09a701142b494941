import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const LOGGER = new URL('../../../src/cli/output/create-logger.ts', import.meta.url).href;

/** Lines of a thousand characters: more than may wait. */
const LINES = 20_000;

const PROGRAM = `
const { createLogger } = await import(${JSON.stringify(LOGGER)});
const logger = createLogger('info');
for (let at = 0; at < ${LINES}; at += 1) logger.info({ at, text: 'x'.repeat(1000) }, 'a line');
process.stderr.write('written');
await new Promise((resolve) => process.stdin.on('end', resolve).resume());
`;

test('lines of the log that nobody reads are dropped, and counted as soon as somebody reads', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  await once(child.stderr, 'data');
  let read = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  const output = text(child.stdout);
  await expect.poll(() => read).toBeGreaterThan(16_000_000);
  child.stdin.end();
  const lines = (await output).trim().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; omitted?: number });
  const omitted = logged.reduce((all, line) => all + (line.omitted ?? 0), 0);
  expect(omitted).toBeGreaterThan(0);
  expect(logged.filter(({ msg }) => msg === 'a line').length + omitted).toBe(LINES);
});
