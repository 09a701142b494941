/** A real engine of which a test sees, or stops, what its servers are told to execute. */

import type { Engine, ExecuteOptions } from '../../../src/engine/engine.ts';
import type { Statement } from '../../../src/plan/sql.ts';

type Execute = (server: Engine, statement: Statement, watch?: ExecuteOptions) => Promise<void>;

/** The engine as it is, but for what is done to execute a statement. */
export function watchedEngine(engine: Engine, execute: Execute): Engine {
  const watched: Engine = new Proxy(engine, {
    get(target, name) {
      if (name === 'execute') return execute.bind(undefined, target);
      if (name === 'each') return each;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const servers = engine
    .each()
    .map((server) => (server === engine ? watched : watchedEngine(server, execute)));
  const each = () => servers;
  return watched;
}
