/** The sign-in that has left this tab for the provider: what must fit to the response, and where to return to. */

import { isJsonObject } from '../../../../src/contract/json-object.ts';
import { serviceUrl } from '../../service/service.ts';

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The query of the page. */
  readonly search: string;
}

/** In the storage of the tab, because no other tab may end the sign-in. */
const KEY = `transactions.provider ${new URL('.', location.href).pathname}`;

export const storePending = (pending: PendingSignIn): void =>
  sessionStorage.setItem(KEY, JSON.stringify(pending));

/** The pending sign-in, which can be taken once. */
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

/** The response in the address, which is put back as it was before the sign-in; `unasked` if none began in this tab. */
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
