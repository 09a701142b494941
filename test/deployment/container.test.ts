import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../support/run/test-extent.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The instructions of the Dockerfile with their arguments, by stage. */
const STAGES = textOf('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split(/^(?=FROM )/m)
  .map((stage) =>
    stage
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
        return { instruction, rest };
      }),
  )
  .filter((stage) => stage.length > 0);

const FINAL = STAGES.at(-1) ?? [];

const argumentsOf = (instruction: string, stage = FINAL): readonly string[] =>
  stage.filter((one) => one.instruction === instruction).map(({ rest }) => rest);

/** The arguments that the health check gives to `node`. */
const [, ...HEALTH_CHECK]: readonly string[] = JSON.parse(
  /CMD (\[.*\])/.exec(argumentsOf('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]',
);

describe('the Dockerfile', () => {
  test('pins every base image by its digest, with the Node.js of the lock file', () => {
    const bases = STAGES.flatMap((stage) => argumentsOf('FROM', stage));
    expect(bases).toHaveLength(3);
    for (const base of bases) {
      expect(base).toMatch(/^node:[\d.]+-trixie-slim@sha256:[0-9a-f]{64}( AS \w+)?$/);
      expect(base).toContain(`node:${process.versions.node}-`);
    }
  });

  test('runs the service as an unprivileged user, with a health check', () => {
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    expect(argumentsOf('ENTRYPOINT')).toEqual(['["node", "bin/transactions.js"]']);
    expect(argumentsOf('HEALTHCHECK')[0]).toContain('/health/ready');
    const order = FINAL.map(({ instruction }) => instruction);
    expect(order.lastIndexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
  });

  test.each([
    [{ PORT: '3000' }, '3000'],
    [{ PORT: '', BASE_PATH: '' }, '3000'],
    [{ PORT: '8080', BASE_PATH: '/reporting' }, '8080/reporting'],
    [{ PORT: '8080', BASE_PATH: '/reporting//' }, '8080/reporting'],
  ])('with %j, the health check asks the address that the service serves', async (env, place) => {
    const prints =
      'data:text/javascript,globalThis.fetch = async (url) => (console.log(url), { ok: true })';
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', prints, ...HEALTH_CHECK],
      { env },
    );
    expect(stdout).toBe(`http://127.0.0.1:${place}/health/ready\n`);
  });

  test('copies only built files and production packages into the image', () => {
    const copied = argumentsOf('COPY');
    expect(copied.filter((line) => line.startsWith('--from='))).toHaveLength(3);
    expect(copied).not.toContain('. .');
    const installs = STAGES.flatMap((stage) => argumentsOf('RUN', stage)).filter((line) =>
      line.startsWith('npm ci'),
    );
    for (const install of installs) expect(install).toContain('--ignore-scripts');
    expect(installs.at(-1)).toContain('--omit=dev');
  });

  test('fetches nothing but packages of the lock file, and takes no build argument', () => {
    const all = STAGES.flat();
    expect(all.filter(({ instruction }) => ['ADD', 'ARG'].includes(instruction))).toEqual([]);
    const runs = all.filter(({ instruction }) => instruction === 'RUN');
    expect(runs.filter(({ rest }) => /\b(?:curl|wget|apt|sudo)\b|npm i\b/.test(rest))).toEqual([]);
  });
});

test('.dockerignore excludes everything that it does not name', () => {
  const [first, ...others] = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(others.filter((line) => !/^!|^\*\*\//.test(line))).toEqual([]);
});

/** Executes the COPY and RUN instructions of a stage in a folder instead of /app. */
async function build(stage: typeof FINAL, folder: string, others: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { instruction, rest } of stage) {
    if (instruction === 'RUN' && !rest.startsWith('groupadd')) {
      execFileSync('sh', ['-euc', rest], { cwd: folder, stdio: 'ignore' });
    }
    if (instruction !== 'COPY' || rest.includes(' /etc/')) continue;
    const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
    const names = paths.split(' ').map((path) => path.replace(/^\/app\//, ''));
    const to = names.pop() ?? '';
    for (const name of names) {
      const source = from === undefined ? join(others, 'context') : join(others, from);
      const target = to === './' ? join(folder, name) : join(folder, to);
      await cp(join(source, name), target, { recursive: true, verbatimSymlinks: true });
    }
  }
}

test.skipIf(!IS_FULL)('the steps of the Dockerfile make a service that runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'container-'));
  const allowed = textOf('.dockerignore').matchAll(/^!(.+?)\/?$/gm);
  for (const [, name = ''] of allowed) {
    const to = join(folder, 'context', name);
    const filter = (path: string) => !/\/(?:node_modules|dist)$/.test(path);
    await cp(join(root, name), to, { recursive: true, filter });
  }
  const names = ['build', 'packages', 'app'];
  for (const [at, stage] of STAGES.entries()) {
    await build(stage, join(folder, names[at] ?? ''), folder);
  }
  const app = join(folder, 'app');
  expect((await readdir(app)).sort()).toEqual([
    'LICENSE',
    'bin',
    'dist',
    'node_modules',
    'package.json',
  ]);
  const packages = await readdir(join(app, 'node_modules'));
  expect(packages).not.toContain('vite');
  expect(packages).not.toContain('typescript');
  await withService(app, folder, async (url) => {
    const page = await (await fetch(url)).text();
    expect(page).not.toContain('not built');
    const env = { PORT: new URL(url).port };
    await promisify(execFile)(process.execPath, [...HEALTH_CHECK], { env });
    await expect(
      promisify(execFile)(process.execPath, [...HEALTH_CHECK], { env: { PORT: '1' } }),
    ).rejects.toThrow();
  });
  await rm(folder, { recursive: true, force: true });
});

/** Starts the service of the image, and stops it after use. */
async function withService(
  app: string,
  folder: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const args = ['bin/transactions.js', 'serve', '--port', '0', '--database', `chdb:${folder}/data`];
  const child = spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, url }: { msg: string; url?: string } = JSON.parse(line);
      if (msg === 'serving' && url !== undefined) {
        await use(url);
        break;
      }
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
