import { describe, expect, test } from 'vitest';
import {
  actionOf,
  actionsOf,
  KEYS,
  type KeyScope,
  keysOf,
} from '../../../explorer/src/keys/keys.ts';

const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe('a key', () => {
  test('has at most one action in each part of the page', () => {
    for (const scope of Object.keys(KEYS) as KeyScope[]) {
      const keys = actionsOf(scope).flatMap((action) => keysOf(scope, action));
      expect(new Set(keys).size, scope).toBe(keys.length);
    }
  });

  test('has the action of its part of the page', () => {
    expect(actionOf('row', press('j'))).toBe('next');
    expect(actionOf('row', press('ArrowUp'))).toBe('previous');
    expect(actionOf('list', press('ArrowUp'))).toBe('up');
    expect(actionOf('list', press('j'))).toBeUndefined();
  });

  test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s held belongs to the browser', (held) => {
    expect(actionOf('row', press('k', { [held]: true }))).toBeUndefined();
  });
});
