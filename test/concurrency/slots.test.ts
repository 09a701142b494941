import { expect, test } from 'vitest';
import { Slots } from '../../src/concurrency/slots.ts';

const names = (slots: Slots<{ name: string }>) => Array.from(slots, ([, { name }]) => name).sort();

test('items are found by their slots until they are deleted', () => {
  const slots = new Slots<{ name: string }>();
  const one = { name: 'one' };
  const two = { name: 'two' };
  const first = slots.add(one);
  const second = slots.add(two);
  expect([slots.get(first), slots.get(second)]).toEqual([one, two]);
  expect([slots.size, names(slots)]).toEqual([2, ['one', 'two']]);
  slots.delete(first, one);
  expect([slots.get(first), slots.get(second)]).toEqual([undefined, two]);
  expect([slots.size, names(slots)]).toEqual([1, ['two']]);
});

test('a slot is used again, and deleting its earlier item again changes nothing', () => {
  const slots = new Slots<{ name: string }>();
  const one = { name: 'one' };
  const two = { name: 'two' };
  const slot = slots.add(one);
  slots.delete(slot, one);
  slots.delete(slot, one);
  expect(slots.size).toBe(0);
  expect(slots.add(two)).toBe(slot);
  slots.delete(slot, one);
  expect([slots.size, slots.get(slot)]).toEqual([1, two]);
  expect(slots.add(one)).not.toBe(slot);
});

test('items may be deleted and added while they are read', () => {
  const slots = new Slots<{ name: string }>();
  for (const name of ['a', 'b', 'c']) slots.add({ name });
  const read: string[] = [];
  for (const [slot, item] of slots) {
    read.push(item.name);
    slots.delete(slot, item);
    if (item.name === 'a') slots.add({ name: 'd' });
  }
  expect(read).toEqual(['a', 'b', 'c']);
  expect(names(slots)).toEqual(['d']);
});
