/** Preferences in local storage, such as language, theme and columns; nothing that identifies the user. */

import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const PREFIX = 'transactions.';
const listeners = new Set<() => void>();

/** Undefined if storage is disabled. */
function storedValue(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeValue(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
}

const chosen = new Map<string, string>();

/** React state that is kept in local storage. */
export function usePreference(
  name: string,
): readonly [string | undefined, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => chosen.get(name) ?? storedValue(name));
  return [value, (next) => choose(name, next)];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(name: string, value: string): void {
  chosen.set(name, value);
  storeValue(name, value);
  showTheme();
  for (const listener of listeners) listener();
}

export const readTheme = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? 'system';

/** Sets the attribute of the style sheet; without it, the theme of the system applies. */
export function showTheme(): void {
  const theme = readTheme(chosen.get('theme') ?? storedValue('theme'));
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
