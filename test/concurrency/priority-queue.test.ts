import { expect, test } from 'vitest';
import {
  mostOvertaken,
  PRIORITIES,
  type Priority,
  PriorityQueue,
} from '../../src/concurrency/priority-queue.ts';
import { fc } from '../support/run/properties.ts';

interface Item {
  readonly priority: Priority;
  readonly arrival: number;
}

/** Fills and empties a queue by random steps; `undefined` serves an item. */
const STEPS = fc.array(fc.constantFrom(...PRIORITIES, ...PRIORITIES, undefined), {
  minLength: 1,
  maxLength: 300,
});

const firstWaiting = (waiting: readonly Item[], priority: Priority): Item | undefined =>
  waiting.find((item) => item.priority === priority);

test('small work is served before new work, and new work before resumed work', () => {
  const queue = new PriorityQueue<Priority>();
  for (const priority of PRIORITIES.toReversed()) queue.push(priority, { priority, client: 'one' });
  expect(PRIORITIES.map(() => queue.shift())).toEqual(['small', 'new', 'resumed']);
  expect(queue.shift()).toBeUndefined();
});

test('a priority is served in the order of arrival, and never starves', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const queue = new PriorityQueue<Item>();
      const waiting: Item[] = [];
      const skipped = new Map<Item, number>();
      const serve = () => {
        const firsts = PRIORITIES.map((each) => firstWaiting(waiting, each));
        const item = queue.shift();
        expect(firsts).toContain(item);
        if (item !== undefined) waiting.splice(waiting.indexOf(item), 1);
        for (const first of firsts) {
          if (first === undefined || first === item) continue;
          skipped.set(first, (skipped.get(first) ?? 0) + 1);
          expect(skipped.get(first)).toBeLessThanOrEqual(mostOvertaken(first.priority));
        }
      };
      for (const [arrival, priority] of steps.entries()) {
        if (priority === undefined) serve();
        else {
          const item = { priority, arrival };
          waiting.push(item);
          queue.push(item, { priority, client: 'one' });
        }
        expect(queue.size).toBe(waiting.length);
      }
      while (waiting.length > 0) serve();
    }),
  );
});

test('an item that leaves the queue is never served', () => {
  const queue = new PriorityQueue<string>();
  const place = { priority: 'new', client: 'one' } as const;
  queue.push('first', place);
  queue.push('second', place);
  expect(queue.remove('first', place)).toBe(true);
  expect(queue.remove('first', place)).toBe(false);
  expect([queue.shift(), queue.shift()]).toEqual(['second', undefined]);
});
