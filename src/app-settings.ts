/** The settings of `serve` from which `app.ts` composes the service. */

import type { AuditSettings } from './audit/open-audit-log.ts';
import type { OidcSettings } from './auth/oidc/oidc.ts';
import type { SignInClientSettings } from './auth/oidc/sign-in-provider.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import type { LimitSettings } from './limits/open-limits.ts';

export interface AppSettings extends LimitSettings, ConnectionLimits, AuditSettings {
  /** Where a proxy mounts the service, such as `/reporting`; empty for the root. */
  readonly basePath: string;
  /** The URL at which clients reach the service, with the base path. */
  readonly publicUrl?: string | undefined;
  /** The currency of all amounts (ISO 4217 code). */
  readonly currency?: string | undefined;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Seconds after which a client that reads nothing is disconnected. */
  readonly stallTimeout: number;
  /** Unknown access tokens that an address may send in a minute; 0 for no limit. */
  readonly invalidTokensPerMinute: number;
  /** Seconds after which a download is cut; 0 for no limit. */
  readonly downloadLifetime: number;
  /** The maximum bytes of temporary files that one client has not read yet; 0 for no limit. */
  readonly diskQuota: number;
  /** Bytes that the month cache may use; 0 for no cache. */
  readonly memoryCache: number;
  /** The identity provider whose JSON Web Tokens are accepted. */
  readonly oidc?: OidcSettings | undefined;
  /** The client with which the explorer signs users in through the identity provider. */
  readonly signIn?: SignInClientSettings | undefined;
}
