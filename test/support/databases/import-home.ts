/** A folder of files for each test, and the command that imports them. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import { type Outcome, runCommand } from '../programs/command.ts';
import { newDatabase } from './copied-database.ts';

export interface ImportHome {
  /** The folder of the current test. */
  readonly path: string;
  put(name: string, content: string | Uint8Array): Promise<void>;
  run(
    args: readonly string[],
    input?: string | Uint8Array,
    environment?: Readonly<Record<string, string>>,
  ): Promise<Outcome>;
  /** Imports and returns the line of JSON; fails the test if there is any other output. */
  summary(
    args: readonly string[],
    input?: string | Uint8Array,
    environment?: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>>;
}

/** Gives every test of a file a new folder with a new database. */
export function importHome(timeZone: string): ImportHome {
  const homes: string[] = [];
  beforeEach(async () => {
    const home = await mkdtemp(join(tmpdir(), 'transactions-import-'));
    await newDatabase(join(home, 'data'), timeZone);
    homes.push(home);
  });
  afterAll(async () => {
    for (const each of homes) await rm(each, { recursive: true, force: true });
  });
  const current = () => homes.at(-1) ?? '';
  const run: ImportHome['run'] = async (args, input = '', environment = {}) =>
    await runCommand(['import', ...args], { directory: current(), environment }, input);
  return {
    get path() {
      return current();
    },
    put: async (name, content) => await writeFile(join(current(), name), content),
    run,
    async summary(args, input, environment) {
      const { output, errors } = await run([...args, '--json'], input, environment);
      expect([errors, output]).toEqual(['', expect.stringMatching(/^\{.*\}\n$/)]);
      return JSON.parse(output) as Record<string, unknown>;
    },
  };
}
