/**
 * Shares the sign-in with the other tabs of this browser, through a BroadcastChannel.
 *
 * A new tab asks the others for their token. Only pages of the same origin can use the channel.
 */

import { recordSignOut, type StoredToken, storedToken, TOKEN_KEY } from './token-storage.ts';

/** Milliseconds that a new tab waits for the token of another tab before it shows the sign-in page. */
const WAIT = 250;

const SIGNED_OUT = 'signed out';
const ASK = 'ask';

const channel = new BroadcastChannel(TOKEN_KEY);

interface TabListener {
  /** Another tab has signed in, or answers that it is signed in. */
  onSignIn(stored: StoredToken): void;
  onSignOut(): void;
}

/** Listens to other tabs and answers their questions. Returns a function that stops listening. */
export function listenToOtherTabs({ onSignIn, onSignOut }: TabListener): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (data === SIGNED_OUT) onSignOut();
    else if (data === ASK) tellSignIn();
    else if (isStoredToken(data)) onSignIn(data);
  };
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}

/** Asks the other tabs for their token, and waits a moment for the answer. */
export async function askOtherTabs(): Promise<void> {
  const stop = new AbortController();
  await new Promise<void>((resolve) => {
    const listen = ({ data }: MessageEvent<unknown>) => {
      if (isStoredToken(data)) resolve();
    };
    channel.addEventListener('message', listen, { signal: stop.signal });
    channel.postMessage(ASK);
    setTimeout(resolve, WAIT);
  });
  stop.abort();
}

/** Tells the other tabs the token of this one, if it has one. */
export function tellSignIn(): void {
  const stored = storedToken();
  if (stored !== undefined) channel.postMessage(stored);
}

/** Signs out the other tabs, including those that are away and receive no message. */
export function tellSignOut(): void {
  recordSignOut();
  channel.postMessage(SIGNED_OUT);
}

const isStoredToken = (value: unknown): value is StoredToken =>
  typeof value === 'object' &&
  value !== null &&
  'token' in value &&
  typeof value.token === 'string' &&
  'isKept' in value &&
  typeof value.isKept === 'boolean';
