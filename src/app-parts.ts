/** What the service is built from, apart from its database. */

import type { FastifyBaseLogger } from 'fastify';
import type { AuditLog } from './audit/audit-log.ts';
import type { AccessWatch } from './auth/access-watch.ts';
import type { VerifyJwt } from './auth/authenticate.ts';
import type { FindTokenFrom } from './auth/invalid-token-limit.ts';
import type { SignInByCode } from './auth/links/exchange-code.ts';
import type { TokenStore } from './auth/new-token.ts';
import type { SignInProvider } from './auth/oidc/sign-in-provider.ts';
import type { Reader } from './engine/engine.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import type { OpenLimits } from './limits/open-limits.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { DeliveryDelays } from './webhooks/delivery-delays.ts';
import type { WebhookManager } from './webhooks/operations/webhook-operations.ts';

/** Tests replace some of these parts. */
export interface AppParts {
  readonly reader: Reader;
  readonly findToken: FindTokenFrom;
  readonly tokens: TokenStore;
  readonly webhooks: WebhookManager;
  readonly deliveryDelays: DeliveryDelays;
  readonly signInByCode: SignInByCode;
  /** Undefined if users do not sign in through a provider. */
  readonly signInProvider?: SignInProvider | undefined;
  readonly verifyJwt?: VerifyJwt | undefined;
  readonly accessWatch: Pick<AccessWatch, 'watch'>;
  readonly limits: OpenLimits;
  readonly metrics: Metrics;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly timeZone: string;
  /** ISO 4217 code; undefined if it is not set. */
  readonly currency: string | undefined;
  /** The URL at which clients reach the service, with the base path; undefined if it is not set. */
  readonly publicUrl: string | undefined;
  /** The secret that signs cursors. */
  readonly cursorKey: Buffer;
  /** The HMAC key of entity tags. */
  readonly tagKey: Buffer;
  /** Where files are written before they are sent; a temporary directory if undefined. */
  readonly exportDirectory: string | undefined;
  /** The maximum bytes of temporary files that one client has not read yet; 0 for no limit. */
  readonly diskQuota: number;
  /** Milliseconds for which files are kept after they were last read. */
  readonly keepFilesFor: number;
  /** Milliseconds after which a client that reads nothing is disconnected. */
  readonly stallTimeout: number;
  /** Bytes that the month cache may use; 0 for no cache. */
  readonly memoryCache: number;
  readonly logger: FastifyBaseLogger;
  readonly audit: AuditLog;
  readonly connectionLimits: ConnectionLimits;
  readonly basePath: string;
  /** The directory of the built explorer, if it is not the default one. */
  readonly explorer?: URL | undefined;
}

export type ReplaceParts = (parts: AppParts) => AppParts;
