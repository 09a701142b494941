/** Keeps a copy of transactions exact: copies whole lists once, then follows the change feed. */

import { ApiProblem } from '../errors.ts';
import { rowsOf } from '../lists/rows.ts';
import type { Change, KindOf, Role, Row } from '../model.ts';
import type { Connection } from '../transport/connection.ts';
import type { QueryParameters } from '../transport/query-string.ts';
import { type FollowOptions, followChanges } from './follow.ts';

/** A transaction of the copy. */
export interface CopiedTransaction<Of extends Role> {
  readonly type: KindOf<Of>;
  readonly transaction: Row<Of>;
}

/** Where the copy is stored. Each method that writes does so completely or not at all. */
export interface CopyStore<Of extends Role> {
  /** The position that was stored last; undefined if there is none. */
  position(): Promise<string | undefined>;
  /** Replaces everything by these rows, and stores the position. */
  replace(rows: AsyncIterable<CopiedTransaction<Of>>, after: string): Promise<void>;
  /** Applies changes in their order, and stores the position. There may be no changes, only a new position. */
  apply(changes: readonly Change<Of>[], after: string): Promise<void>;
}

/** Every transaction was created in this period, in any time zone. */
const ALL_DAYS = { start_date: '1969-12-31', end_date: '2106-02-07' };

/** Applies the change feed to a copy. Copies whole lists if the copy has no position, or one that is too old. */
export async function syncCopy<Of extends Role>(
  connection: Connection,
  path: string,
  copy: CopyStore<Of>,
  query: QueryParameters,
  options: FollowOptions,
): Promise<void> {
  const feed = `${path}/changes`;
  for (let after = await copy.position(); ; after = undefined) {
    after ??= await copyLists(connection, path, copy, query, options);
    try {
      for await (const page of followChanges<Of>(connection, feed, { ...query, after }, options)) {
        await copy.apply(page.changes, page.after);
      }
      return;
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === 'changes_expired')) throw error;
    }
  }
}

/** Returns the feed's position from before the lists were read, so that the feed repeats changes made meanwhile. */
async function copyLists<Of extends Role>(
  connection: Connection,
  path: string,
  copy: CopyStore<Of>,
  query: QueryParameters,
  { signal }: FollowOptions,
): Promise<string> {
  const now = followChanges<Of>(connection, `${path}/changes`, query, { once: true, signal });
  const { value } = await now.next();
  if (value === undefined) throw new TypeError('The change feed returned no position.');
  const { type, ...filters } = query;
  const types = [type ?? []].flat().map(String) as KindOf<Of>[];
  async function* rows(): AsyncGenerator<CopiedTransaction<Of>, void> {
    for (const kind of types) {
      const parameters = { ...filters, ...ALL_DAYS, type: kind };
      for await (const row of rowsOf(connection, { path, parameters }, { signal })) {
        yield { type: kind, transaction: row as Row<Of> };
      }
    }
  }
  await copy.replace(rows(), value.after);
  return value.after;
}
