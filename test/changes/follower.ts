/** A reader that copies lists and then follows the changes, as the documentation describes it. */

import { expect } from 'vitest';
import type { TestService } from '../support/requests/service.ts';

export interface CopiedRow {
  readonly transaction_id: number;
  readonly created_at: string;
}

type Change =
  | { readonly change: 'put'; readonly type: string; readonly transaction: CopiedRow }
  | { readonly change: 'gone'; readonly type: string; readonly transaction_id: number }
  | { readonly change: 'expired'; readonly type: string; readonly created_before: string };

export interface FollowedQuery {
  readonly role: 'admin' | 'affiliate';
  readonly token: string;
  readonly types: readonly string[];
  /** Filters by program or publisher, such as `&program_id=1`. */
  readonly filter?: string;
}

/** The number of rows in new lists, the rows that the copy lacks, and the copied rows that are outdated or gone. */
export interface CopyDifference {
  readonly compared: number;
  readonly missing: readonly string[];
  readonly stale: readonly string[];
}

const PERIOD = 'start_date=2020-01-01&end_date=2030-12-31';

const keyOf = (type: string, id: number): string => `${type} ${id}`;

export class Follower {
  readonly #service: TestService;
  readonly #query: FollowedQuery;
  readonly #rows: Map<string, CopiedRow>;
  #next: string;

  private constructor(
    service: TestService,
    query: FollowedQuery,
    rows: Map<string, CopiedRow>,
    position: string,
  ) {
    this.#service = service;
    this.#query = query;
    this.#rows = rows;
    const { role, types, filter = '' } = query;
    this.#next = `/api/${role}/transactions/changes?type=${types.join(',')}${filter}&after=${position}`;
  }

  /** Copies the list of each type. The position is that of the first list. */
  static async begin(service: TestService, query: FollowedQuery): Promise<Follower> {
    const { rows, position } = await listed(service, query);
    return new Follower(service, query, rows, position);
  }

  /** Reads one page; false at the end of the feed. */
  async readPage(limit: number): Promise<boolean> {
    const path = `${this.#next.replace(/&limit=\d+/, '')}&limit=${limit}`;
    const response = await this.#service.get(path, this.#query.token);
    expect(response.status).toBe(200);
    const changes = (await response.json()) as readonly Change[];
    expect(changes.length).toBeLessThanOrEqual(limit);
    for (const change of changes) this.#apply(change);
    this.#next = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    return changes.length > 0;
  }

  #apply(change: Change): void {
    switch (change.change) {
      case 'put':
        this.#rows.set(keyOf(change.type, change.transaction.transaction_id), change.transaction);
        return;
      case 'gone':
        this.#rows.delete(keyOf(change.type, change.transaction_id));
        return;
      case 'expired':
        for (const [key, { created_at }] of this.#rows) {
          const isOlder = key.startsWith(`${change.type} `) && created_at < change.created_before;
          if (isOlder) this.#rows.delete(key);
        }
    }
  }

  /** Follows to the end of the feed, and compares the copy with new lists. */
  async expectExactAtEnd(limit: number): Promise<number> {
    const rows = await this.#listedAtEnd(limit);
    expect(sorted(this.#rows)).toEqual(sorted(rows));
    return rows.size;
  }

  /** Follows to the end of the feed, and tells how the copy differs from new lists. */
  async compareAtEnd(limit: number): Promise<CopyDifference> {
    const listed = await this.#listedAtEnd(limit);
    const texts = new Map([...listed].map(([key, row]) => [key, JSON.stringify(row)]));
    const copied = [...this.#rows];
    const stale = copied.flatMap(([key, row]) =>
      texts.get(key) === JSON.stringify(row) ? [] : key,
    );
    const missing = [...listed.keys()].filter((key) => !this.#rows.has(key));
    return { compared: listed.size, missing, stale };
  }

  async #listedAtEnd(limit: number): Promise<ReadonlyMap<string, CopiedRow>> {
    while (await this.readPage(limit));
    return (await listed(this.#service, this.#query)).rows;
  }
}

const sorted = (rows: ReadonlyMap<string, CopiedRow>) =>
  Object.fromEntries([...rows].sort(([one], [other]) => (one < other ? -1 : 1)));

async function listed(service: TestService, { role, token, types, filter = '' }: FollowedQuery) {
  const rows = new Map<string, CopiedRow>();
  let position = '';
  for (const type of types) {
    const path = `/api/${role}/transactions?type=${type}&${PERIOD}${filter}`;
    const response = await service.get(path, token);
    expect(response.status).toBe(200);
    position ||= response.headers.get('changes-after') ?? '';
    for (const row of (await response.json()) as readonly CopiedRow[])
      rows.set(keyOf(type, row.transaction_id), row);
  }
  return { rows, position };
}
