/**
 * Session with the provider in this tab: renews the access token before a request if it is about to expire.
 *
 * The refresh token stays in memory. After a reload, the access token is used until it expires. Then the
 * user signs in again, and the page keeps its query.
 */

import type { ProviderSignIn } from '../../../../src/contract/tokens/sign-in-options.ts';
import { storedToken, storeToken } from '../token-storage.ts';
import { type ProviderResponse, redirectUri } from './pending-sign-in.ts';
import type { ProviderTokens } from './provider-client.ts';
import { fetchProviderSignIn } from './sign-in-options.ts';

interface Session {
  readonly provider: ProviderSignIn;
  readonly tokens: ProviderTokens;
  /** Whether the access token expires soon. */
  readonly isEnding: () => boolean;
}

let session: Session | undefined;
let renewal: Promise<void> | undefined;

/** An access token is renewed this many milliseconds before it expires. */
const EARLY = 30_000;

/** Exchanges the response of the provider for an access token, and stores it. Throws a ProviderFailure. */
export async function signInByProvider(response: ProviderResponse): Promise<void> {
  const provider = await fetchProviderSignIn();
  if (provider === undefined) return;
  const { endSignIn } = await import('./provider-client.ts');
  startSession(provider, await endSignIn(provider, response));
}

function startSession(provider: ProviderSignIn, tokens: ProviderTokens): void {
  const lasts = (tokens.expiresIn ?? Number.POSITIVE_INFINITY) * 1000;
  // A short-lived token is renewed after half of its lifetime.
  session = { provider, tokens, isEnding: timer(Math.max(lasts - EARLY, lasts / 2)) };
  storeToken({ token: tokens.accessToken, isKept: false });
}

/**
 * Returns a function that tells whether so many milliseconds have passed by either clock. In some browsers,
 * `performance.now()` stops while the computer sleeps, and the other clock can be set back.
 */
function timer(milliseconds: number): () => boolean {
  const [steady, wall] = [performance.now() + milliseconds, Date.now() + milliseconds];
  return () => performance.now() > steady || Date.now() > wall;
}

/** Whether this tab has a session with the provider. A reload or a sign-out ends the session. */
export const hasSession = (): boolean => session !== undefined;

/** Forgets the session in this tab. */
export function forgetSession(): void {
  session = undefined;
}

/** Returns the access token of the session. Renews it first if it expires soon. Undefined without a session. */
export async function sessionToken(): Promise<string | undefined> {
  if (session?.tokens.refreshToken !== undefined && session.isEnding()) {
    renewal ??= renew(session, session.tokens.refreshToken).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return session?.tokens.accessToken;
}

async function renew(ending: Session, refreshToken: string): Promise<void> {
  try {
    const { renewTokens } = await import('./provider-client.ts');
    const tokens = await renewTokens(ending.provider, refreshToken);
    // The user may have signed out meanwhile.
    if (session !== ending) return;
    startSession(ending.provider, { ...tokens, idToken: tokens.idToken ?? ending.tokens.idToken });
  } catch {
    // Ignored: once the old token has expired, the service refuses it, and the page asks to sign in again.
  }
}

/** Whether the stored token is from the provider: those of the service begin with `trx_`. */
export const isFromProvider = (): boolean => storedToken()?.token.startsWith('trx_') === false;

/**
 * Returns a function that ends the session at the provider; undefined if the stored token is not from a
 * provider. Must be called before the token is forgotten.
 */
export function providerSignOut(): (() => Promise<void>) | undefined {
  const idToken = session?.tokens.idToken;
  return isFromProvider() ? async () => await signOutAtProvider(idToken) : undefined;
}

/** Opens the sign-out page of the provider, if it has one. */
async function signOutAtProvider(idToken: string | undefined): Promise<void> {
  const provider = await fetchProviderSignIn().catch(() => undefined);
  if (provider === undefined || provider.end_session_endpoint === null) return;
  const url = new URL(provider.end_session_endpoint);
  url.searchParams.set('client_id', provider.client_id);
  url.searchParams.set('post_logout_redirect_uri', redirectUri());
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
  location.assign(url);
}
