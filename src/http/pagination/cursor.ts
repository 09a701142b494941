/**
 * Pagination cursors: the position of the last record of a page, signed.
 *
 * The signature (HMAC-SHA256, cut to 128 bits) covers the position, the principal and the query. So a cursor
 * is valid only for the same query of the same principal. Lists of identifiers may be in another order.
 *
 * A cursor of a sorted list also contains the value by which its record is sorted. Such a cursor is encrypted,
 * because values can be personal data, and URLs are logged.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { ID_LIST_NAMES, type IdLists, sorted } from '../../contract/id-lists.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { WRONG_CURSOR } from '../../contract/query/parameter-values.ts';
import type { ListQuery } from '../../contract/query/query.ts';
import { invalid } from '../../contract/query/read-parameters.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { type Seal, sealedText, unsealedContent } from './sealed-text.ts';

/** Bytes of a position: the date takes 4, the identifier 8. */
const POSITION_SIZE = 12;
const SIGNATURE_SIZE = 16;

/** Parameters that may change from page to page. */
const UNSIGNED: readonly (keyof ListQuery)[] = [
  'cursor',
  'limit',
  'offset',
  'fields',
  'format',
  'csv',
];

/** What a cursor is valid for. */
export interface CursorScope {
  readonly key: Buffer;
  readonly principal: Principal;
  readonly query: Readonly<Record<string, unknown>> & IdLists;
}

export function cursorOf(position: KeysetPosition, scope: CursorScope): string {
  const { value } = position;
  const place = placeOf(position);
  if (value !== undefined) {
    // The first byte distinguishes null from an empty text.
    const rest = value === null ? '\0' : `\x01${value}`;
    return sealedText(Buffer.concat([place, Buffer.from(rest, 'latin1')]), sealOf(scope));
  }
  return Buffer.concat([place, signatureOf(place, inOrder(scope))]).toString('base64url');
}

/** Throws the problem `invalid_parameters` if the cursor is not valid in this scope. */
export function readCursor(cursor: string, scope: CursorScope): KeysetPosition {
  const isSorted = scope.query.sort !== undefined;
  // The cursors of a sorted list are encrypted. If `sort` only names the usual order by date (listOrderOf),
  // they are signed instead, so both forms are tried.
  const position =
    (isSorted ? sealedPosition(cursor, scope) : undefined) ?? signedPosition(cursor, scope);
  if (position !== undefined) return position;
  throw new Problem('invalid_parameters', { faults: [invalid('cursor', WRONG_CURSOR)] });
}

function placeOf({ at, transactionId }: KeysetPosition): Buffer {
  const place = Buffer.alloc(POSITION_SIZE);
  place.writeUInt32BE(at);
  place.writeBigUInt64BE(BigInt(transactionId), 4);
  return place;
}

const positionIn = (place: Buffer): KeysetPosition => ({
  at: place.readUInt32BE(),
  transactionId: Number(place.readBigUInt64BE(4)),
});

function signedPosition(cursor: string, scope: CursorScope): KeysetPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, POSITION_SIZE);
  // Several base64url texts decode to the same bytes; only the canonical one is a cursor.
  const isCanonical =
    bytes.length === POSITION_SIZE + SIGNATURE_SIZE && bytes.toString('base64url') === cursor;
  const signature = bytes.subarray(POSITION_SIZE);
  // Earlier versions of the service signed the identifiers in the order of the query.
  const isSigned = (by: CursorScope) => timingSafeEqual(signature, signatureOf(position, by));
  return isCanonical && (isSigned(inOrder(scope)) || isSigned(scope))
    ? positionIn(position)
    : undefined;
}

function sealedPosition(cursor: string, scope: CursorScope): KeysetPosition | undefined {
  const content = unsealedContent(cursor, sealOf(scope));
  if (content === undefined) return undefined;
  const hasValue = content[POSITION_SIZE] === 1;
  const value = hasValue ? content.toString('latin1', POSITION_SIZE + 1) : null;
  return { ...positionIn(content), value };
}

/** Domain separation: the prefix differs from everything else that is signed with this key. */
const sealOf = (scope: CursorScope): Seal => ({
  key: createHmac('sha256', scope.key).update('sorted\n').digest(),
  boundTo: Buffer.from(signedScope(inOrder(scope))),
});

/** Sorts the lists of identifiers. A client may send them in any order, but long lists in links are sorted. */
function inOrder(scope: CursorScope): CursorScope {
  const lists = ID_LIST_NAMES.flatMap((name) => {
    const values = scope.query[name];
    return values === undefined ? [] : [[name, sorted(values)]];
  });
  return { ...scope, query: { ...scope.query, ...Object.fromEntries(lists) } };
}

function signatureOf(position: Buffer, scope: CursorScope): Buffer {
  const signature = createHmac('sha256', scope.key).update(position).update(signedScope(scope));
  return signature.digest().subarray(0, SIGNATURE_SIZE);
}

/** The principal and the query, without the parameters that may change. */
function signedScope({ principal, query }: CursorScope): string {
  const signed = Object.entries(query).filter(([name]) => !UNSIGNED.some((free) => free === name));
  signed.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([principal.role, principal.id, signed]);
}
