/** Storage of the access token in the tab, until the tab is closed or the user signs out. */

/** The key includes the path: other services of this origin have their own tokens. */
const KEY = `transactions.token ${new URL('.', location.href).pathname}`;

/** Fallback for browsers without storage, until the page is closed. */
let inMemory: string | undefined;

export function storedToken(): string | undefined {
  try {
    return inMemory ?? sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return inMemory;
  }
}

export function storeToken(token: string): void {
  inMemory = token;
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // Storage is disabled: the token stays in memory.
  }
}

export function forgetToken(): void {
  inMemory = undefined;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is disabled: nothing to remove.
  }
}
