import { expect, test } from 'vitest';
import { TurnQueue } from '../../src/concurrency/turn-queue.ts';
import { fc } from '../support/run/properties.ts';

const CLIENTS = ['one', 'two', 'three', 'four'] as const;

/** Fills and empties a queue by random steps; `undefined` takes an item out. */
const STEPS = fc.array(fc.option(fc.constantFrom(...CLIENTS), { nil: undefined }), {
  minLength: 1,
  maxLength: 200,
});

const everybody = () => true;

test('an item waits for at most one item of every other client, and for the earlier items of its own client', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const queue = new TurnQueue<number>();
      const waiting: { client: string; arrival: number; left: number }[] = [];
      const take = () => {
        const arrival = queue.shift(everybody);
        const at = waiting.findIndex((item) => item.arrival === arrival);
        expect(at >= 0).toBe(waiting.length > 0);
        if (at >= 0) waiting.splice(at, 1);
        for (const item of waiting) {
          item.left -= 1;
          expect(item.left).toBeGreaterThan(0);
        }
      };
      for (const [arrival, client] of steps.entries()) {
        if (client === undefined) {
          take();
          continue;
        }
        const ahead = waiting.filter((item) => item.client === client).length;
        queue.push(arrival, client);
        waiting.push({ client, arrival, left: (ahead + 1) * CLIENTS.length });
        expect(queue.size).toBe(waiting.length);
      }
      while (waiting.length > 0) take();
      expect(queue.shift(everybody)).toBeUndefined();
    }),
  );
});

test('a client that may not be served keeps its turn', () => {
  const queue = new TurnQueue<string>();
  for (const item of ['one 1', 'one 2', 'two 1']) queue.push(item, item.slice(0, 3));
  const isOther = (client: string) => client !== 'one';
  expect(queue.shift(isOther)).toBe('two 1');
  expect(queue.hasFor(isOther)).toBe(false);
  expect(queue.shift(isOther)).toBeUndefined();
  expect([queue.shift(everybody), queue.shift(everybody)]).toEqual(['one 1', 'one 2']);
});

test('only its own client can remove an item, and a removed item is not in the queue', () => {
  const queue = new TurnQueue<string>();
  queue.push('first', 'one');
  expect(queue.remove('first', 'two')).toBe(false);
  expect(queue.remove('first', 'one')).toBe(true);
  expect(queue.size).toBe(0);
  expect(queue.hasFor(everybody)).toBe(false);
});
