/** Stores each principal's saved views on the device, for a sign-in that is not kept until the next one. */

import type { Me } from '../../../client/src/index.ts';
import { readViews, type SavedViews } from './saved-views.ts';

/** The part of the browser's storage that is used. */
export type ViewStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The key includes the path: other services of this origin have their own views. */
const prefixOf = (path: string): string => `transactions.views ${path} `;

/**
 * The key of the views of a principal. A hash, because the name of a token must not be stored. Tokens
 * with the same name and the same rights share their views.
 */
export function viewsKey(
  path: string,
  me: Pick<Me, 'name' | 'role' | 'publisher_ids' | 'program_ids'>,
) {
  const { name, role, publisher_ids: publishers, program_ids: programs } = me;
  return prefixOf(path) + fnv1a(JSON.stringify([role, name, publishers, programs]));
}

/** 32 bits are enough to tell the few principals of a device apart (FNV-1a). */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

interface StoredViews {
  /** Whether the views stay when the sign-in ends. */
  readonly isKept: boolean;
  readonly views: SavedViews;
}

/** Reads the stored text. Invalid text counts as no views. */
export function readStoredViews(text: string | null): StoredViews {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null) return { isKept: false, views: [] };
    const views = 'views' in stored ? readViews(stored.views) : [];
    return { isKept: 'isKept' in stored && stored.isKept === true, views };
  } catch {
    return { isKept: false, views: [] };
  }
}

export function storeViews(storage: ViewStorage, key: string, stored: StoredViews): void {
  if (stored.views.length === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify(stored));
}

/** Changes whether the views stay. Without a change it writes nothing, because other tabs see each write. */
export function keepViews(storage: ViewStorage, key: string, isKept: boolean): void {
  const stored = readStoredViews(storage.getItem(key));
  if (stored.isKept !== isKept) storeViews(storage, key, { ...stored, isKept });
}

/** Removes the views of all sign-ins that were not kept on this device. */
export function clearTemporaryViews(storage: ViewStorage, path: string): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
  for (const key of keys) {
    if (key === null || !key.startsWith(prefixOf(path))) continue;
    if (!readStoredViews(storage.getItem(key)).isKept) storage.removeItem(key);
  }
}
