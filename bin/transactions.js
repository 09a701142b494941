#!/usr/bin/env node
// Starts the command line: from the sources in a clone, where a build may be outdated, else from the build.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`error: transactions needs Node.js 24 or newer, this is ${process.version}.`);
  console.error('In a clone, npm installs its own Node.js: npx transactions …');
  process.exit(1);
}

// A compile cache makes commands start twice as fast. Where it cannot be written, such as in production, there is none.
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
if (existsSync(packages)) module.enableCompileCache(`${packages}/.cache/transactions`);

// Each download blocks a thread of libuv's pool. The size of the pool is read when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '64';

// The engine's allocator returns freed memory to the system after a second instead of five, so that imports and
// large responses leave less behind. After half a second, an import takes 5 % more CPU time. At once, reading takes
// three times as much.
process.env.JE_MALLOC_CONF ??= 'dirty_decay_ms:1000,muzzy_decay_ms:0';

// The heap is small, and blocks of responses are freed explicitly: marking the heap in the background
// again and again would cost a large download a fifth of its time. V8 takes flags at its start only.
// A small young generation takes less memory and costs no measurable CPU time: few objects outlive a request.
const V8_FLAGS = ['--no-incremental-marking', '--max-semi-space-size=4'];
const SERVING = ['serve', 'demo'];

// Blocks of responses are allocated in one thread and freed in another. With one arena for all threads, the
// system's allocator uses freed memory again. This variable, too, is read at the start of a process.
process.env.MALLOC_ARENA_MAX ??= '1';

const hasFlags = V8_FLAGS.every((flag) => process.execArgv.includes(flag));
if (SERVING.includes(process.argv[2]) && !hasFlags) restartWithFlags();
else await runCommand();

async function runCommand() {
  const built = new URL('../dist/cli/main.js', import.meta.url);
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const { main } = await import(existsSync(source) ? source.href : built.href);
  await main(process.argv.slice(2));
}

/** Replaces the process, which keeps its id; Windows has no execve, so a child runs instead. */
function restartWithFlags() {
  const args = [...V8_FLAGS, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, [process.execPath, ...args], process.env);
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // The terminal sends SIGINT to the child, too.
  process.on('SIGINT', () => undefined);
  child.on('exit', (code) => process.exit(code ?? 1));
}
