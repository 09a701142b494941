#!/usr/bin/env node
// Starts the command line: from the sources in a clone, from the build where it is installed.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`error: transactions needs Node.js 24 or newer, this is ${process.version}.`);
  console.error('In a clone, npm brings its own: npx transactions …');
  process.exit(1);
}

// Every download waits in a thread of its own; the pool is sized when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '64';

// The heap is small, and blocks of answers are given back by hand: searching it in the background
// again and again would cost a large download a fifth of its time.
setFlagsFromString('--no-incremental-marking');

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const { main } = await import(existsSync(built) ? built.href : source.href);
await main(process.argv.slice(2));
