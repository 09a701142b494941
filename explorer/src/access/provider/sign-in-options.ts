/** Asks the service for the provider through which users can sign in. */

import type {
  ProviderSignIn,
  SignInOptions,
} from '../../../../src/contract/tokens/sign-in-options.ts';
import { serviceUrl } from '../../service/service.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Undefined if the service has no provider. Throws a ProviderFailure if the service is unreachable or fails. */
export async function fetchProviderSignIn(): Promise<ProviderSignIn | undefined> {
  const response = await fetch(`${serviceUrl()}api/sign-in`).catch((cause: unknown) => {
    throw new ProviderFailure('unreachable', { cause });
  });
  if (!response.ok) throw new ProviderFailure('unavailable');
  // The type is that of the OpenAPI document, and tests hold the service to it.
  const { provider } = (await response.json()) as SignInOptions;
  return provider ?? undefined;
}
