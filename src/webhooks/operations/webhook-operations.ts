/** Operations on webhooks, for commands and requests. */

import type { Principal } from '../../auth/principal.ts';
import type { Progress } from '../progress.ts';
import type { NewWebhook, Webhook } from '../webhook.ts';

/** A webhook and its progress. Its secret is never shown again. */
export interface WebhookStatus {
  readonly id: string;
  readonly webhook: Webhook;
  readonly progress: Progress;
  /** Whether its token (`controllingTokenId`) is revoked. The webhook then delivers nothing. */
  readonly isRevoked: boolean;
}

export interface CreatedWebhook extends WebhookStatus {
  readonly secret: string;
}

export interface TestResult {
  readonly isDelivered: boolean;
  /** Why the message was not delivered; null if it was. */
  readonly error: string | null;
  readonly milliseconds: number;
}

/**
 * Operations that take an id return undefined or false if no webhook has this id.
 *
 * A webhook stops when its token is revoked. If it is then paused, resumed or replayed, it depends on the
 * token `by`; without `by`, on no token. These operations throw a Problem if `by` may not add the webhook.
 */
export interface WebhookManager {
  /** Adds a webhook for changes from now on. Throws a UserError for a forbidden URL, or beyond a limit. */
  add(webhook: NewWebhook): Promise<CreatedWebhook>;
  list(): Promise<readonly WebhookStatus[]>;
  /** Sends a message `webhook.test` at once. */
  test(id: string): Promise<TestResult | undefined>;
  pause(id: string, by?: Principal): Promise<boolean>;
  /** Continues where deliveries have stopped. */
  resume(id: string, by?: Principal): Promise<boolean>;
  /** Returns the new secret. For a day, messages are signed with the former one, too. */
  rotate(id: string): Promise<string | undefined>;
  /**
   * Delivers again from an instant on, or from the first undelivered change if that is older. Throws a UserError
   * if the instant is in the future, or if changes since then are not kept.
   */
  replay(id: string, since: Date, by?: Principal): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}
