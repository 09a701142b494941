/** What a reader prefers on this machine: nothing of it tells who they are. */

import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const PREFIX = 'transactions.';
const listeners = new Set<() => void>();

/** Storage may be switched off; then nothing is remembered. */
function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice counts until the page is left.
  }
}

const chosen = new Map<string, string>();

/** A choice that is remembered, and how to change it. */
export function usePreference(
  name: string,
): readonly [string | undefined, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => chosen.get(name) ?? remembered(name));
  return [value, (next) => choose(name, next)];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(name: string, value: string): void {
  chosen.set(name, value);
  remember(name, value);
  showTheme();
  for (const listener of listeners) listener();
}

export const readTheme = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? 'system';

/** The style sheet follows the attribute, and the system where there is none. */
export function showTheme(): void {
  const theme = readTheme(chosen.get('theme') ?? remembered('theme'));
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
