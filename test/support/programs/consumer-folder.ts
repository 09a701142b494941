/** Folder of an API consumer, with the demo's file that holds the address and a token. */

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from './page-commands.ts';

export interface ConsumerFolder {
  readonly folder: string;
  /** Writes another address or token into the demo's file, as `npm run demo` does. */
  note(url: string, token: string): Promise<void>;
  /** Runs a script with the variables that `ACCESS_COMMANDS` set. The scripts of pages begin with these commands. */
  run(script: string): ReturnType<typeof runScript>;
  close(): Promise<void>;
}

/** The first commands of the documentation's pages for consumers of the API. */
export const ACCESS_COMMANDS = `demo() { node -p "require('./data/demo/demo.json').$1"; }
export API=$(demo url) TOKEN=$(demo affiliate_token)`;

export async function consumerFolder(url: string, token: string): Promise<ConsumerFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  // The pages' scripts need a newer Node than some machines have.
  await provide(
    folder,
    'node',
    `exec '${process.execPath}' --disable-warning=ExperimentalWarning "$@"`,
  );
  await mkdir(join(folder, 'data/demo'), { recursive: true });
  const variables = { API: '', TOKEN: '' };
  const note = async (address: string, access: string) => {
    Object.assign(variables, { API: address, TOKEN: access });
    const text = JSON.stringify({ url: address, affiliate_token: access });
    await writeFile(join(folder, 'data/demo/demo.json'), text);
  };
  await note(url, token);
  return {
    folder,
    note,
    run: async (script) => {
      const { API, TOKEN } = variables;
      return await runScript(`export API='${API}' TOKEN='${TOKEN}'\n${script}`, folder);
    },
    close: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** Puts a program into the folder, which is on the script's PATH. */
export async function provide(folder: string, name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}
