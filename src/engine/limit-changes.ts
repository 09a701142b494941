/** An engine whose statements change only some of the data, so that answers prepared from the rest stay valid. */

import type { Statement } from '../plan/sql.ts';
import type { ChangedData, Engine, ExecuteOptions } from './engine.ts';

/** The same engine. Its statements change at most this data. */
export function limitChanges(engine: Engine, changes: ChangedData): Engine {
  const execute = async (statement: Statement, options?: ExecuteOptions): Promise<void> =>
    await engine.execute(statement, { changes, ...options });
  const each = () => engine.each().map((server) => limitChanges(server, changes));
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
