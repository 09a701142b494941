/** An engine whose statements change only some of the data, so that answers prepared from the rest stay valid. */

import type { Statement } from '../plan/sql.ts';
import { CHANGED_DATA, type ChangedData, type Engine, type ExecuteOptions } from './engine.ts';

/** The same engine. Its statements change at most this data. */
export function limitChanges(engine: Engine, changes: ChangedData): Engine {
  if (changes === 'all') return engine;
  const execute = async (statement: Statement, options: ExecuteOptions = {}): Promise<void> =>
    await engine.execute(statement, { ...options, changes: lesser(changes, options.changes) });
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

const lesser = (one: ChangedData, other: ChangedData = 'all'): ChangedData =>
  CHANGED_DATA.find((data) => data === one || data === other) ?? one;
