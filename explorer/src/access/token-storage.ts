/**
 * Storage of the access token: in the tab until the tab is closed, or on the device until the user
 * signs out.
 */

export interface StoredToken {
  readonly token: string;
  /** Whether the token stays on the device when all tabs are closed. */
  readonly isKept: boolean;
}

/** Keys include the path: other services of this origin have their own tokens. */
const PATH = new URL('.', location.href).pathname;

export const TOKEN_KEY = `transactions.token ${PATH}`;

/** The key of the id of the last sign-out on this device. A tab stores with its token the id at that time. */
const SIGN_OUT_KEY = `transactions.signed-out ${PATH}`;

/** A copy in memory, which is read first. Browsers without storage have only this one, until the page is closed. */
let inMemory: StoredToken | undefined;

export function storedToken(): StoredToken | undefined {
  try {
    const ofDevice = localStorage.getItem(TOKEN_KEY);
    const token = inMemory?.token ?? tokenOfTab() ?? ofDevice;
    // Compared each time, because the choice to keep the token may be made in another tab.
    return token === null ? undefined : { token, isKept: token === ofDevice };
  } catch {
    return inMemory;
  }
}

/** A tab that was away during a sign-out, for example on another site, forgets its token here. */
function tokenOfTab(): string | null {
  const isSignedOut = sessionStorage.getItem(SIGN_OUT_KEY) !== localStorage.getItem(SIGN_OUT_KEY);
  if (isSignedOut) forgetTokenOfTab();
  return sessionStorage.getItem(TOKEN_KEY);
}

export function storeToken(stored: StoredToken): void {
  forgetToken();
  inMemory = stored;
  try {
    if (stored.isKept) localStorage.setItem(TOKEN_KEY, stored.token);
    else storeInTab(stored.token);
  } catch {
    // Storage is disabled: the token stays in memory.
  }
}

function storeInTab(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  const lastSignOut = localStorage.getItem(SIGN_OUT_KEY);
  if (lastSignOut !== null) sessionStorage.setItem(SIGN_OUT_KEY, lastSignOut);
}

/** Keeps the stored token on the device, or only in this tab. */
export function keepToken(isKept: boolean): void {
  const stored = storedToken();
  if (stored !== undefined) storeToken({ ...stored, isKept });
}

/**
 * `refused` is the token that the service has refused. The device may have a newer one of another tab, which stays.
 * Without `refused`, the device forgets any token.
 */
export function forgetToken(refused?: string): void {
  inMemory = undefined;
  try {
    forgetTokenOfTab();
    const isOther = refused !== undefined && localStorage.getItem(TOKEN_KEY) !== refused;
    if (!isOther) localStorage.removeItem(TOKEN_KEY);
  } catch {
    // Storage is disabled: nothing to remove.
  }
}

function forgetTokenOfTab(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  sessionStorage.removeItem(SIGN_OUT_KEY);
}

/** Records a sign-out for the tabs that are away. They forget their tokens when they come back. */
export function recordSignOut(): void {
  try {
    // Not randomUUID(), which needs https.
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
    localStorage.setItem(SIGN_OUT_KEY, id);
  } catch {
    // Storage is disabled: no tab has stored a token.
  }
}
