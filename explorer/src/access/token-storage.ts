/**
 * Storage of the access token: in the tab until the tab is closed, or on the device until the user
 * signs out.
 */

export interface StoredToken {
  readonly token: string;
  /** Whether the token stays on the device when all tabs are closed. */
  readonly isKept: boolean;
}

/** The key includes the path: other services of this origin have their own tokens. */
export const TOKEN_KEY = `transactions.token ${new URL('.', location.href).pathname}`;

/** A copy in memory, which is read first. Browsers without storage have only this one, until the page is closed. */
let inMemory: StoredToken | undefined;

export function storedToken(): StoredToken | undefined {
  if (inMemory !== undefined) return inMemory;
  try {
    const ofTab = sessionStorage.getItem(TOKEN_KEY);
    if (ofTab !== null) return { token: ofTab, isKept: false };
    const ofDevice = localStorage.getItem(TOKEN_KEY);
    return ofDevice === null ? undefined : { token: ofDevice, isKept: true };
  } catch {
    return undefined;
  }
}

export function storeToken(stored: StoredToken): void {
  forgetToken();
  inMemory = stored;
  try {
    (stored.isKept ? localStorage : sessionStorage).setItem(TOKEN_KEY, stored.token);
  } catch {
    // Storage is disabled: the token stays in memory.
  }
}

/** Keeps the stored token on the device, or only in this tab. */
export function keepToken(isKept: boolean): void {
  const stored = storedToken();
  if (stored !== undefined) storeToken({ ...stored, isKept });
}

export function forgetToken(): void {
  inMemory = undefined;
  try {
    sessionStorage.removeItem(TOKEN_KEY);
    localStorage.removeItem(TOKEN_KEY);
  } catch {
    // Storage is disabled: nothing to remove.
  }
}
