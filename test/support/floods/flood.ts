/** Starts a flood of requests from another process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../programs/compiled-modules.ts';

export type FloodKind = 'pipelined' | 'tokens';

export interface Flood {
  readonly kind: FloodKind;
  readonly connections: number;
  /** Requests that a connection sends at once. */
  readonly requests: number;
  /** The path that pipelined requests ask for. */
  readonly target?: string;
  /** Milliseconds during which closed connections are opened again; 0 to open each only once. */
  readonly milliseconds: number;
}

const PROCESS = fileURLToPath(new URL('flooding-process.ts', import.meta.url));

/** Resolves when the flood has ended. */
export async function floodFromOutside(url: string, flood: Flood): Promise<void> {
  const { kind, connections, requests, milliseconds, target = '/nope' } = flood;
  const order = [new URL(url).port, kind, connections, requests, milliseconds, target].map(String);
  const args = ['--disable-warning=ExperimentalWarning', PROCESS, ...order];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...COMPILED },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
}
