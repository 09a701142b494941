/** Keeps the access token for this tab alone, until it is closed or the reader signs out. */

/** Services at other paths of the same origin have tokens of their own. */
const NAME = `transactions.token ${new URL('.', location.href).pathname}`;

/** Where storage is switched off, until the page is left. */
let held: string | undefined;

export function storedToken(): string | undefined {
  try {
    return held ?? sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return held;
  }
}

export function storeToken(token: string): void {
  held = token;
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // It is held above.
  }
}

export function forgetToken(): void {
  held = undefined;
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // There is none.
  }
}
