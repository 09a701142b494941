import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each([
  ['types', 'tsc', ['-p', '.']],
  ['types of the explorer', 'tsc', ['-p', 'explorer']],
  ['format and lint', 'biome', ['ci', '.']],
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
])(
  '%s are in order',
  (_, program, args) => {
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${program}`, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  },
  120_000,
);
