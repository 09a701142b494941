/** A real engine whose executed statements a test can observe or stop. */

import type { Engine, ExecuteOptions } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';

type Execute = (server: Engine, statement: Statement, watch?: ExecuteOptions) => Promise<void>;

/** The engine with another implementation of `execute`. If it is shared, other processes may write, as on a server. */
export function watchedEngine(engine: Engine, execute: Execute, { isShared = false } = {}): Engine {
  const watched: Engine = new Proxy(engine, {
    get(target, name) {
      if (name === 'execute') return execute.bind(undefined, target);
      if (name === 'each') return each;
      if (name === 'versions' && isShared) return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const servers = engine
    .each()
    .map((server) => (server === engine ? watched : watchedEngine(server, execute, { isShared })));
  const each = () => servers;
  return watched;
}
