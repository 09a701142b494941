/**
 * Positions in the change feed, encrypted (AES-256-GCM).
 *
 * A readable position would grow with each import, and so reveal how often other clients get rows. A position is
 * valid for one database, one role, and the programs and publishers that were read. It is not bound to a token, so
 * it stays valid when the token is replaced.
 */

import { createHmac } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { WRONG_POSITION } from '../../contract/query/parameter-values.ts';
import { invalid } from '../../contract/query/read-parameters.ts';
import { KINDS, type Kind } from '../../contract/record/kinds.ts';
import type { Selection } from '../../plan/list-plan.ts';
import type { FeedPosition } from '../../reading/changes/change-page.ts';
import { type Seal, sealedText, unsealedContent } from './sealed-text.ts';

/** Bytes of a position before it is encrypted: six numbers of 8, and one byte with a bit for each type. */
const CONTENT_SIZE = 49;

/** What a position is valid for. */
export interface FeedScope {
  /** The secret that signs cursors. The key that encrypts positions is derived from it. */
  readonly key: Buffer;
  readonly principal: Principal;
  readonly selection: Pick<Selection, 'programIds' | 'publisherIds'>;
}

export interface ClientPosition extends FeedPosition {
  /** The first number in the table `publications`, which tells databases apart. */
  readonly origin: number;
  /** The types that were read up to this position. */
  readonly kinds: readonly Kind[];
}

export function feedPositionText(position: ClientPosition, scope: FeedScope): string {
  const { origin, number, partial, kinds } = position;
  const { through = 0, key } = partial ?? {};
  const numbers = [origin, number, through, key?.batch, key?.publisherId, key?.transactionId];
  const content = Buffer.alloc(CONTENT_SIZE);
  for (const [at, value = 0] of numbers.entries()) content.writeBigUInt64BE(BigInt(value), at * 8);
  content.writeUInt8(bitsOf(kinds), CONTENT_SIZE - 1);
  return sealedText(content, sealOf(scope));
}

/** Throws the problem `invalid_parameters` if the position is not valid in this scope or for these types. */
export function readFeedPosition(
  text: string,
  kinds: readonly Kind[],
  scope: FeedScope,
): ClientPosition {
  const content = unsealedContent(text, sealOf(scope));
  const isPosition = content?.length === CONTENT_SIZE;
  const known = isPosition ? content.readUInt8(CONTENT_SIZE - 1) : 0;
  if (!isPosition || (bitsOf(kinds) & ~known) !== 0) {
    throw new Problem('invalid_parameters', { faults: [invalid('after', WRONG_POSITION)] });
  }
  const numberAt = (at: number) => Number(content.readBigUInt64BE(at * 8));
  const through = numberAt(2);
  const key = { batch: numberAt(3), publisherId: numberAt(4), transactionId: numberAt(5) };
  return {
    origin: numberAt(0),
    number: numberAt(1),
    ...(through === 0 ? {} : { partial: { through, key } }),
    kinds,
  };
}

const bitsOf = (kinds: readonly Kind[]): number =>
  kinds.reduce((bits, kind) => bits | (1 << KINDS.indexOf(kind)), 0);

/** Domain separation: the prefix differs from everything else that is signed with this key. */
const sealOf = (scope: FeedScope): Seal => ({
  key: createHmac('sha256', scope.key).update('changes\n').digest(),
  boundTo: boundTo(scope),
});

function boundTo({ principal, selection }: FeedScope): Buffer {
  const { programIds, publisherIds } = selection;
  const sorted = (scope: Selection['programIds']) =>
    scope === 'all' ? scope : [...scope].sort((one, other) => one - other);
  return Buffer.from(JSON.stringify([principal.role, sorted(programIds), sorted(publisherIds)]));
}
