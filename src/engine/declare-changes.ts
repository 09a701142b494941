/** An engine whose statements change only declared data, so that what was cached from other data stays valid. */

import type { Statement } from '../plan/sql.ts';
import { CHANGED_DATA, type ChangedData, type Engine, type ExecuteOptions } from './engine.ts';

/**
 * The same engine for statements that change at most `changes`. If the options of a statement declare more,
 * it fails before it changes anything.
 */
export function declareChanges(engine: Engine, changes: ChangedData): Engine {
  if (changes === 'all') return engine;
  const execute = async (statement: Statement, options: ExecuteOptions = {}): Promise<void> => {
    const { changes: own = changes } = options;
    if (CHANGED_DATA.indexOf(own) > CHANGED_DATA.indexOf(changes)) {
      throw new Error(`A statement changes "${own}", but its caller declared "${changes}".`);
    }
    await engine.execute(statement, { ...options, changes: own });
  };
  const each = () => engine.each().map((server) => declareChanges(server, changes));
  const own = new Map<unknown, unknown>([
    ['execute', execute],
    ['each', each],
  ]);
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = own.get(name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' && !own.has(name) ? value.bind(target) : value;
    },
  });
}
