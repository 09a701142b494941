/** An engine for statements that change no table which a report reads, so that the data version stays. */

import type { Statement } from '../plan/sql.ts';
import type { Engine, ExecuteOptions } from './engine.ts';

/** The same engine: answers that were prepared for the present data stay good while it executes. */
export function keepingState(engine: Engine): Engine {
  const execute = async (statement: Statement, options?: ExecuteOptions): Promise<void> =>
    await engine.execute(statement, { ...options, keepsState: true });
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'execute') return execute;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
