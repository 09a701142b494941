/** What a revoked token has created: webhooks, which stop with it, and tokens and links, which do not. */

import type { Operator } from '../../control/operator.ts';
import { controllingTokenId } from '../../webhooks/webhook.ts';

export interface CreatedByToken {
  readonly stoppedWebhooks: readonly string[];
  readonly validTokens: readonly string[];
}

/** How many ids a message names. */
const NAMED = 20;

export async function createdByToken(
  token: string,
  operator: Pick<Operator, 'listTokens' | 'webhooks'>,
): Promise<CreatedByToken> {
  const now = new Date();
  const webhooks = await operator.webhooks.list();
  const tokens = await operator.listTokens();
  return {
    stoppedWebhooks: webhooks
      // A service of an earlier version does not stop webhooks of a revoked token: `isRevoked` is false.
      .filter(({ webhook, isRevoked }) => isRevoked && controllingTokenId(webhook) === token)
      .map(({ id }) => id),
    validTokens: tokens
      .filter(({ createdBy, revokedAt }) => createdBy === token && revokedAt === undefined)
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
      .map(({ id }) => id),
  };
}

/** Lines for the operator; none if the token has created nothing. */
export function createdByTokenText({
  stoppedWebhooks,
  validTokens,
}: CreatedByToken): readonly string[] {
  const [webhook] = stoppedWebhooks;
  const [token] = validTokens;
  return [
    ...(webhook === undefined
      ? []
      : [
          `Its webhooks stop too: ${named(stoppedWebhooks)}. Continue one with: transactions webhook resume ${webhook}`,
        ]),
    ...(token === undefined
      ? []
      : [
          `Tokens and links that it has created stay valid: ${named(validTokens)}. Revoke one with: transactions token revoke ${token}`,
        ]),
  ];
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${shown} and ${ids.length - NAMED} more` : shown;
}
