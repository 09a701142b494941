/** A real engine of which a test sees, or stops, what it is told to execute. */

import type { Engine } from '../../src/store/engine.ts';

/** The engine as it is, but for what is done to execute a statement. */
export const watchedEngine = (engine: Engine, execute: Engine['execute']): Engine =>
  new Proxy(engine, {
    get(target, name) {
      if (name === 'execute') return execute;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
