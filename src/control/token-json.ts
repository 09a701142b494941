/** Tokens as JSON: for scripts, and between the commands and the process that holds the database. */

import type { TokenRecord } from '../auth/token-record.ts';
import type { TokenOrder } from './operator.ts';

/** A token's record as scripts see it; its times are ISO 8601 in UTC. */
export interface TokenText {
  readonly id: string;
  readonly role: TokenRecord['role'];
  readonly publisher_ids: readonly number[];
  readonly program_ids: readonly number[];
  readonly locale: TokenRecord['locale'] | null;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const timeText = (date: Date | undefined): string | null => date?.toISOString() ?? null;

const timeOf = (text: string | null): Date | undefined =>
  text === null ? undefined : new Date(text);

export const tokenText = (record: TokenRecord): TokenText => ({
  id: record.id,
  role: record.role,
  publisher_ids: record.publisherIds,
  program_ids: record.programIds,
  locale: record.locale ?? null,
  name: record.name ?? null,
  created_at: record.createdAt.toISOString(),
  expires_at: timeText(record.expiresAt),
  revoked_at: timeText(record.revokedAt),
});

export const tokenRecord = (text: TokenText): TokenRecord => ({
  id: text.id,
  role: text.role,
  publisherIds: text.publisher_ids,
  programIds: text.program_ids,
  locale: text.locale ?? undefined,
  name: text.name ?? undefined,
  createdAt: new Date(text.created_at),
  expiresAt: timeOf(text.expires_at),
  revokedAt: timeOf(text.revoked_at),
});

/** An order for a token as it came over the socket, from our own command. */
export function readTokenOrder(body: unknown): TokenOrder {
  const order = body as Omit<TokenOrder, 'expiresAt'> & { expiresAt?: string };
  return {
    ...order,
    expiresAt: order.expiresAt === undefined ? undefined : new Date(order.expiresAt),
  };
}
