/** Local storage of preferences, such as language, theme and columns; nothing that identifies the user. */

const PREFIX = 'transactions.';

/** Undefined if storage is disabled. */
export function storedPreference(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storePreference(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
}
