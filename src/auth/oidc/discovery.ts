/** Discovery document of an OpenID provider (OpenID Connect Discovery 1.0). */

import { isJsonObject } from '../../contract/json-object.ts';

/** The time limit of each request to the provider, in milliseconds. */
export const TIMEOUT = 5_000;

/**
 * How long no other discovery is tried after one that failed, in milliseconds. Anyone can trigger a discovery, and a
 * provider that fails should not get more requests.
 */
export const PAUSE = 5_000;

type Metadata = Readonly<Record<string, unknown>>;

/** The document, which must name the same issuer (section 4.3). */
export async function discover(issuer: string, timeout = TIMEOUT): Promise<Metadata> {
  const response = await fetch(discoveryUrlOf(issuer), {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200) throw new Error(`${response.url} has status ${response.status}.`);
  return readMetadata(await response.json(), issuer);
}

/** A final slash of the issuer is removed (section 4.1). */
const discoveryUrlOf = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

export function readMetadata(document: unknown, issuer: string): Metadata {
  const metadata = isJsonObject(document) ? document : {};
  if (metadata.issuer !== issuer) {
    const named = JSON.stringify(metadata.issuer);
    throw new Error(
      `The discovery document names the issuer ${named}, but OIDC_ISSUER is ${issuer}.`,
    );
  }
  return metadata;
}

/** The URL with this name in the document. Throws if it is missing, or if only the issuer uses HTTPS. */
export function addressIn(metadata: Metadata, name: string, issuer: string): URL {
  const address = metadata[name];
  if (typeof address !== 'string') throw new Error(`The discovery document has no ${name}.`);
  const url = new URL(address);
  // Over plain HTTP an attacker could replace keys and read codes.
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol)
    throw new Error(`The ${name} of an https issuer must use https.`);
  return url;
}
