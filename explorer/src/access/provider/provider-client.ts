/**
 * Signs in through the OpenID provider by authorization code and PKCE (RFC 7636), as a public client.
 *
 * Loaded when it is needed, because most pages sign in with a token.
 */

import * as oauth from 'oauth4webapi';
import type { ProviderSignIn } from '../../../../src/contract/tokens/sign-in-options.ts';
import { type ProviderResponse, redirectUri, storePendingSignIn } from './pending-sign-in.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Tokens from the provider. Only the access token is stored; the others stay in the memory of this tab. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Seconds for which the access token is valid; undefined if the provider does not say. */
  readonly expiresIn: number | undefined;
}

/** Opens the sign-in page of the provider, which later redirects the user back to this page. */
export async function beginSignIn(provider: ProviderSignIn): Promise<void> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(provider.authorization_endpoint);
  const parameters = {
    client_id: provider.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: provider.scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...provider.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  storePendingSignIn({ state, nonce, codeVerifier, search: location.search });
  location.assign(url);
}

/** Exchanges the code of the response for tokens. Throws a ProviderFailure. */
export async function endSignIn(
  provider: ProviderSignIn,
  { url, pending }: ProviderResponse,
): Promise<ProviderTokens> {
  return await orFailure(async () => {
    const [server, client] = [serverOf(provider), clientOf(provider)];
    const parameters = oauth.validateAuthResponse(server, client, url, pending.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      pending.codeVerifier,
      optionsOf(provider),
    );
    return tokensOf(
      await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: pending.nonce,
        requireIdToken: true,
      }),
    );
  });
}

/** New tokens for the refresh token. Throws a ProviderFailure. */
export async function renewTokens(
  provider: ProviderSignIn,
  refreshToken: string,
): Promise<ProviderTokens> {
  return await orFailure(async () => {
    const [server, client] = [serverOf(provider), clientOf(provider)];
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      { ...optionsOf(provider), additionalParameters: provider.parameters },
    );
    const renewed = tokensOf(await oauth.processRefreshTokenResponse(server, client, response));
    return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
  });
}

const serverOf = (provider: ProviderSignIn): oauth.AuthorizationServer => ({
  issuer: provider.issuer,
  token_endpoint: provider.token_endpoint,
  authorization_response_iss_parameter_supported: provider.sends_issuer,
});

const clientOf = ({ client_id }: ProviderSignIn): oauth.Client => ({ client_id });

/** Allows plain HTTP for an http issuer only. The service has checked that an https issuer has https endpoints. */
const optionsOf = ({ issuer, parameters }: ProviderSignIn) => ({
  [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  additionalParameters: parameters,
});

const tokensOf = (response: oauth.TokenEndpointResponse): ProviderTokens => ({
  accessToken: response.access_token,
  idToken: response.id_token,
  refreshToken: response.refresh_token,
  expiresIn: response.expires_in,
});

async function orFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** Error codes for a sign-in that the user or the provider declined. */
const DECLINED = ['access_denied', 'login_required', 'consent_required', 'interaction_required'];

function failureOf(cause: unknown): ProviderFailure {
  if (
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError
  ) {
    const code = cause.error;
    if (DECLINED.includes(code)) return new ProviderFailure('declined', { cause });
    if (['server_error', 'temporarily_unavailable'].includes(code))
      return new ProviderFailure('unavailable', { cause });
    return new ProviderFailure('refused', { cause, code });
  }
  // What fetch throws without a response.
  if (cause instanceof TypeError) return new ProviderFailure('unavailable', { cause });
  return new ProviderFailure('refused', { cause });
}
