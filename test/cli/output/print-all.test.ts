import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const PRINTING = `
const { printAll } = await import('${new URL('../../../src/cli/output/print-all.ts', import.meta.url)}');
async function* lines() {
  try {
    for (;;) yield 'a line of text\\n'.repeat(1000);
  } finally {
    process.stderr.write('ended');
  }
}
await printAll(lines());
`;

test('printing ends without an error if the reader of the pipe has enough', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PRINTING]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect([await once(child, 'close'), errors]).toEqual([[0, null], 'ended']);
});
