/** State of a sign-in while the user is at the provider: values that verify the response, and the query to restore. */

import { isJsonObject } from '../../../../src/contract/json-object.ts';
import { serviceUrl } from '../../service/service.ts';

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The query of the page before the sign-in, which is restored after it. */
  readonly search: string;
}

/** The key in session storage, which tabs do not share: only the tab that began a sign-in may complete it. */
const KEY = `transactions.provider ${new URL('.', location.href).pathname}`;

export const storePendingSignIn = (pending: PendingSignIn): void =>
  sessionStorage.setItem(KEY, JSON.stringify(pending));

/** Returns and removes the pending sign-in. */
export function takePending(): PendingSignIn | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    const value: unknown = JSON.parse(text ?? 'null');
    return isPending(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Registered at the provider: the address of the page, without a query. */
export const redirectUri = (): string => serviceUrl();

export interface ProviderResponse {
  /** The address with the response. */
  readonly url: URL;
  readonly pending: PendingSignIn;
}

/**
 * Takes the provider's response out of the address, and restores the query that the address had before
 * the sign-in. Undefined without a response; `unasked` if no sign-in began in this tab.
 */
export function takeResponse(): ProviderResponse | 'unasked' | undefined {
  const url = new URL(location.href);
  const { searchParams: query } = url;
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return undefined;
  const pending = takePending();
  history.replaceState(history.state, '', location.pathname + (pending?.search ?? ''));
  return pending === undefined ? 'unasked' : { url, pending };
}

const isPending = (value: unknown): value is PendingSignIn =>
  isJsonObject(value) &&
  ['state', 'nonce', 'codeVerifier', 'search'].every((name) => typeof value[name] === 'string');
