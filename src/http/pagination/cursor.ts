/**
 * Cursors: where a page ended, as a text that only the service can make.
 *
 * It holds the place of the last record and a signature (HMAC-SHA256, cut to 128 bits) over the
 * place, who asked and what was asked: it is good for the same question of the same principal alone.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { WRONG_CURSOR } from '../../contract/query/parameter-values.ts';
import { invalid, type ReportQuery } from '../../contract/query/query.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';

/** Bytes of a place: the date as 32 bits, the identifier as 64. */
const PLACE = 12;
const SIGNATURE = 16;

/** What may be another on the next page: how long it is, and how its records are written. */
const FREE: readonly (keyof ReportQuery)[] = ['cursor', 'limit', 'fields', 'format', 'csv'];

/** What a cursor is bound to. */
export interface CursorSeal {
  readonly key: Buffer;
  readonly principal: Principal;
  readonly query: ReportQuery;
}

export function cursorOf(position: KeysetPosition, seal: CursorSeal): string {
  const place = Buffer.alloc(PLACE);
  place.writeUInt32BE(position.at);
  place.writeBigUInt64BE(BigInt(position.transactionId), 4);
  return Buffer.concat([place, signatureOf(place, seal)]).toString('base64url');
}

/** The place that a cursor names; throws a Problem where it is not one of this question. */
export function openCursor(cursor: string, seal: CursorSeal): KeysetPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const place = bytes.subarray(0, PLACE);
  // Of several texts with the same bytes only one is a cursor.
  const isWhole = bytes.length === PLACE + SIGNATURE && bytes.toString('base64url') === cursor;
  if (!isWhole || !timingSafeEqual(bytes.subarray(PLACE), signatureOf(place, seal))) {
    throw new Problem('invalid_parameters', { faults: [invalid('cursor', WRONG_CURSOR)] });
  }
  return { at: place.readUInt32BE(), transactionId: Number(place.readBigUInt64BE(4)) };
}

function signatureOf(place: Buffer, { key, principal, query }: CursorSeal): Buffer {
  const asked = Object.entries(query).filter(([name]) => !FREE.some((free) => free === name));
  asked.sort(([one], [other]) => (one < other ? -1 : 1));
  const bound = JSON.stringify([principal.role, principal.id, asked]);
  const signature = createHmac('sha256', key).update(place).update(bound).digest();
  return signature.subarray(0, SIGNATURE);
}
