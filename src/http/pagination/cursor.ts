/**
 * Pagination cursors: the position of the last record of a page, signed.
 *
 * The signature (HMAC-SHA256, cut to 128 bits) covers the position, the principal and the query, so
 * a cursor is valid only for the same query of the same principal. Identifiers may be in another order.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { ID_LIST_NAMES, type IdLists, sorted } from '../../contract/id-lists.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { WRONG_CURSOR } from '../../contract/query/parameter-values.ts';
import type { ReportQuery } from '../../contract/query/query.ts';
import { invalid } from '../../contract/query/read-parameters.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';

/** Bytes of a position: the date takes 4, the identifier 8. */
const POSITION_SIZE = 12;
const SIGNATURE_SIZE = 16;

/** Parameters that may change from page to page. */
const UNSIGNED: readonly (keyof ReportQuery)[] = ['cursor', 'limit', 'fields', 'format', 'csv'];

/** What a cursor is valid for. */
export interface CursorScope {
  readonly key: Buffer;
  readonly principal: Principal;
  readonly query: Readonly<Record<string, unknown>> & IdLists;
}

export function cursorOf({ at, transactionId }: KeysetPosition, scope: CursorScope): string {
  const position = Buffer.alloc(POSITION_SIZE);
  position.writeUInt32BE(at);
  position.writeBigUInt64BE(BigInt(transactionId), 4);
  return Buffer.concat([position, signatureOf(position, inOrder(scope))]).toString('base64url');
}

/** Throws the problem `invalid_parameters` if the cursor is not valid in this scope. */
export function readCursor(cursor: string, scope: CursorScope): KeysetPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, POSITION_SIZE);
  // Several texts decode to the same bytes; only one of them is a cursor.
  const isCanonical =
    bytes.length === POSITION_SIZE + SIGNATURE_SIZE && bytes.toString('base64url') === cursor;
  const signature = bytes.subarray(POSITION_SIZE);
  // Earlier cursors were signed with the identifiers in the order of their query.
  const isSigned = (by: CursorScope) => timingSafeEqual(signature, signatureOf(position, by));
  if (!isCanonical || !(isSigned(inOrder(scope)) || isSigned(scope))) {
    throw new Problem('invalid_parameters', { faults: [invalid('cursor', WRONG_CURSOR)] });
  }
  return { at: position.readUInt32BE(), transactionId: Number(position.readBigUInt64BE(4)) };
}

/** The lists of identifiers in one order: a link has them sorted, and a client may repeat its own. */
function inOrder(scope: CursorScope): CursorScope {
  const lists = ID_LIST_NAMES.flatMap((name) => {
    const values = scope.query[name];
    return values === undefined ? [] : [[name, sorted(values)]];
  });
  return { ...scope, query: { ...scope.query, ...Object.fromEntries(lists) } };
}

function signatureOf(position: Buffer, { key, principal, query }: CursorScope): Buffer {
  const signed = Object.entries(query).filter(([name]) => !UNSIGNED.some((free) => free === name));
  signed.sort(([one], [other]) => (one < other ? -1 : 1));
  const scope = JSON.stringify([principal.role, principal.id, signed]);
  const signature = createHmac('sha256', key).update(position).update(scope).digest();
  return signature.subarray(0, SIGNATURE_SIZE);
}
