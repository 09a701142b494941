/** A real engine whose servers seem to be asked later, so that what was interrupted looks abandoned. */

import type { Engine } from '../../../src/engine/engine.ts';

/** The engine with a clock that is ahead in queries of `now()`. The rows that it writes have the true time. */
export function laterClock(engine: Engine, seconds: number): Engine {
  const rows: Engine['rows'] = async (statement, signal) => {
    const text = statement.text.replace('(now())', `(now() + ${seconds})`);
    return await engine.rows({ ...statement, text }, signal);
  };
  const later: Engine = new Proxy(engine, {
    get(target, name) {
      if (name === 'rows') return rows;
      if (name === 'each') return each;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const servers = engine
    .each()
    .map((server) => (server === engine ? later : laterClock(server, seconds)));
  const each = () => servers;
  return later;
}
