/** React state of preferences, such as language, theme and columns. */

import { useSyncExternalStore } from 'react';
import { storedPreference, storePreference } from './preference-storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();

const chosen = new Map<string, string>();

/** React state that is kept in local storage. */
export function usePreference(
  name: string,
): readonly [string | undefined, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => chosen.get(name) ?? storedPreference(name));
  return [value, (next) => choose(name, next)];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(name: string, value: string): void {
  chosen.set(name, value);
  storePreference(name, value);
  showTheme();
  for (const listener of listeners) listener();
}

export const readTheme = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? 'system';

/** Sets the attribute that tells the style sheet the theme. Without it, the theme of the system applies. */
export function showTheme(): void {
  const theme = readTheme(chosen.get('theme') ?? storedPreference('theme'));
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
