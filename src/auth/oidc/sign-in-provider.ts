/** What the page needs to sign in through an OpenID provider: the provider's addresses and the client's settings. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../contract/problems/problems.ts';
import type { ProviderSignIn } from '../../contract/tokens/sign-in-options.ts';
import { addressIn, discover, PAUSE } from './discovery.ts';

export interface SignInClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string;
  /** The parameter of authorization requests that names the audience; none if undefined. */
  readonly audienceParameter: string | undefined;
}

/** The maximum time that a page waits for discovery, in milliseconds. */
const PAGE_WAIT = 1000;

export class SignInProvider {
  readonly #client: SignInClientSettings;
  #known: ProviderSignIn | undefined;
  #running: Promise<ProviderSignIn> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(client: SignInClientSettings) {
    this.#client = client;
  }

  /** Undefined until a discovery has succeeded. Starts one if necessary. */
  get known(): ProviderSignIn | undefined {
    this.start();
    return this.#known;
  }

  /** Starts a discovery unless one has succeeded. */
  start(): void {
    this.find().catch(() => undefined);
  }

  /** Waits for a discovery, a second at most, and starts it if necessary. Undefined if none has succeeded by then. */
  async waitUntilKnown(): Promise<ProviderSignIn | undefined> {
    const found = this.find().catch(() => undefined);
    return await Promise.race([found, sleep(PAGE_WAIT, undefined, { ref: false })]);
  }

  /**
   * Discovers the provider, unless an earlier discovery has succeeded. Throws the problem
   * `identity_provider_unavailable` if discovery fails or has just failed.
   */
  async find(): Promise<ProviderSignIn> {
    if (this.#known !== undefined) return this.#known;
    if (this.#running === undefined && performance.now() - this.#failedAt < PAUSE) {
      throw new Problem('identity_provider_unavailable');
    }
    this.#running ??= this.#discover();
    return await this.#running;
  }

  async #discover(): Promise<ProviderSignIn> {
    try {
      this.#known = await providerOf(this.#client);
      return this.#known;
    } catch (cause) {
      this.#failedAt = performance.now();
      throw new Problem('identity_provider_unavailable', { cause });
    } finally {
      this.#running = undefined;
    }
  }
}

async function providerOf(client: SignInClientSettings): Promise<ProviderSignIn> {
  const { issuer, clientId, scope, audience, audienceParameter } = client;
  const metadata = await discover(issuer);
  const addressOf = (name: string) => addressIn(metadata, name, issuer).href;
  const canSignOut = metadata.end_session_endpoint !== undefined;
  return {
    issuer,
    client_id: clientId,
    scope,
    parameters: audienceParameter === undefined ? {} : { [audienceParameter]: audience },
    authorization_endpoint: addressOf('authorization_endpoint'),
    token_endpoint: addressOf('token_endpoint'),
    end_session_endpoint: canSignOut ? addressOf('end_session_endpoint') : null,
    sends_issuer: metadata.authorization_response_iss_parameter_supported === true,
  };
}
