import { describe, expect, test, vi } from 'vitest';
import {
  defaultView,
  hasRoom,
  MAX_VIEWS,
  readViews,
  toggledDefault,
  viewName,
  withoutView,
  withRenamedView,
  withView,
} from '../../../explorer/src/views/saved-views.ts';
import {
  clearTemporaryViews,
  keepViews,
  readStoredViews,
  storeViews,
  viewsKey,
} from '../../../explorer/src/views/view-storage.ts';

const A = { name: 'a', search: '?type=sales', isDefault: false };
const B = { name: 'b', search: '?type=leads', isDefault: true };

describe('saved views', () => {
  test('are sorted by name, and a view replaces the one with its name', () => {
    expect(withView([B], 'a', '?type=sales')).toEqual([A, B]);
    expect(withView([A, B], 'b', '?type=clics')).toEqual([A, { ...B, search: '?type=clics' }]);
  });

  test('need a name, and their number is limited', () => {
    expect(viewName('  my \n view ')).toBe('my view');
    expect(withView([A], viewName('  '), '?x')).toEqual([A]);
    const many = Array.from({ length: MAX_VIEWS }, (_, at) => ({ ...A, name: `view ${at}` }));
    expect(withView(many, 'one more', '?x')).toBe(many);
    expect(withView(many, 'view 3', '?x')).toHaveLength(MAX_VIEWS);
    expect([hasRoom(many, 'one more'), hasRoom(many, 'view 3')]).toEqual([false, true]);
  });

  test('are renamed, except to a name that is taken or empty', () => {
    expect(withRenamedView([A, B], 'a', 'c')).toEqual([B, { ...A, name: 'c' }]);
    expect(withRenamedView([A, B], 'a', 'b')).toEqual([A, B]);
    expect(withRenamedView([A, B], 'a', '')).toEqual([A, B]);
  });

  test('have at most one default', () => {
    const views = toggledDefault([A, B], 'a');
    expect(views.map(({ isDefault }) => isDefault)).toEqual([true, false]);
    expect(defaultView(toggledDefault(views, 'a'))).toBeUndefined();
    expect(withoutView(views, 'a')).toEqual([{ ...B, isDefault: false }]);
  });

  test('ignore stored text that is not a list of views', () => {
    expect(readViews([A, { name: 1 }, null, 'x', { name: 'n', search: '?' }])).toEqual([A]);
    for (const text of [null, '', '{', '[]', '7', '{"views":3}']) {
      expect(readStoredViews(text).views).toEqual([]);
    }
  });
});

describe('the storage of views', () => {
  function storageOf(entries: Readonly<Record<string, string>>) {
    const map = new Map(Object.entries(entries));
    return {
      map,
      get length() {
        return map.size;
      },
      key: (at: number) => [...map.keys()][at] ?? null,
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, text: string) => void map.set(key, text),
      removeItem: (key: string) => void map.delete(key),
    };
  }

  const me = {
    name: 'Partner agency',
    role: 'affiliate',
    publisher_ids: [345],
    program_ids: 'all',
  } as const;

  test('has a key for each principal, without their name or identifiers', () => {
    const key = viewsKey('/', me);
    expect(viewsKey('/', { ...me })).toBe(key);
    for (const other of [
      viewsKey('/reports/', me),
      viewsKey('/', { ...me, publisher_ids: [346] }),
      viewsKey('/', { ...me, name: null }),
    ]) {
      expect(other).not.toBe(key);
    }
    expect(key).not.toMatch(/agency|345/i);
  });

  test('returns what was stored, and removes the entry of the last view', () => {
    const storage = storageOf({});
    const stored = { isKept: true, views: [A, B] };
    storeViews(storage, 'key', stored);
    expect(readStoredViews(storage.getItem('key'))).toEqual(stored);
    storeViews(storage, 'key', { isKept: true, views: [] });
    expect(storage.length).toBe(0);
  });

  test('changes whether views are kept, and is not written to without a change', () => {
    const storage = storageOf({});
    storeViews(storage, 'key', { isKept: false, views: [A, B] });
    const write = vi.spyOn(storage, 'setItem');
    for (const isKept of [true, true, false, false]) {
      keepViews(storage, 'key', isKept);
      expect(readStoredViews(storage.getItem('key'))).toEqual({ isKept, views: [A, B] });
    }
    expect(write).toHaveBeenCalledTimes(2);
  });

  test('clears the views of sign-ins that are not kept, but only under its own path', () => {
    const other = { ...me, name: null };
    const storage = storageOf({ 'transactions.theme': 'dark' });
    storeViews(storage, viewsKey('/', me), { isKept: false, views: [A] });
    storeViews(storage, viewsKey('/', other), { isKept: true, views: [A] });
    storeViews(storage, viewsKey('/reports/', me), { isKept: false, views: [A] });
    clearTemporaryViews(storage, '/');
    expect([...storage.map.keys()]).toEqual([
      'transactions.theme',
      viewsKey('/', other),
      viewsKey('/reports/', me),
    ]);
  });
});
