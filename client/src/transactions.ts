/** The transactions of one role as rows, pages, summaries, changes and downloads. */

import { type ChangesPage, type FollowOptions, followChanges } from './changes/follow.ts';
import { type CopyStore, syncCopy } from './changes/sync.ts';
import type { Download, DownloadOptions, Progress } from './download.ts';
import { parseLines } from './lists/lines.ts';
import { readPage } from './lists/pages.ts';
import { type Cancellable, type ListOptions, type PagedListOptions, rowsOf } from './lists/rows.ts';
import type {
  ChangesParameters,
  ChosenRow,
  DownloadParameters,
  FieldOf,
  Group,
  GroupingOf,
  KindOf,
  ListParameters,
  PageParameters,
  Role,
  Row,
  SummaryParameters,
  Unsorted,
  UsualFieldOf,
} from './model.ts';
import { requestJson } from './request-json.ts';
import type { Connection } from './transport/connection.ts';
import type { QueryParameters } from './transport/query-string.ts';

export interface PageOptions extends Cancellable {
  /** Requests the number of rows on all pages. */
  readonly count?: boolean | undefined;
}

export interface TagOptions extends Cancellable {
  /** The last known tag. If it is still current, the service answers at little cost. */
  readonly known?: string | undefined;
}

export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  /** The `cursor` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The number of rows on all pages; undefined without the option `count`. */
  readonly total: number | undefined;
}

export interface Transactions<Of extends Role, Target, Options extends DownloadOptions> {
  /**
   * All rows in the requested order. By default, this is the order of `created_at`, and each row comes once.
   *
   * In other orders, an import may move a row meanwhile. By another date, the row may then come twice in
   * ascending order, and be missed in descending order. With `sort`, either may happen.
   *
   * Reads page by page and retries each page on its own. Leaving the loop cancels the request. Only pages can
   * be sorted by a field, so `sort` excludes the option `stream`.
   */
  list<Field extends FieldOf<Of> = UsualFieldOf<Of>>(
    query: Unsorted<ListParameters<Of, Field>>,
    options?: ListOptions,
  ): AsyncGenerator<ChosenRow<Of, Field>, void>;
  list<Field extends FieldOf<Of> = UsualFieldOf<Of>>(
    query: ListParameters<Of, Field>,
    options?: PagedListOptions,
  ): AsyncGenerator<ChosenRow<Of, Field>, void>;

  /** One transaction. Throws an `ApiProblem` with status 404 if the token may read none with this identifier. */
  get(type: KindOf<Of>, transactionId: number, options?: Cancellable): Promise<Row<Of>>;

  /** One page of rows. */
  page<Field extends FieldOf<Of> = UsualFieldOf<Of>>(
    query: PageParameters<Of, Field>,
    options?: PageOptions,
  ): Promise<RowsPage<ChosenRow<Of, Field>>>;

  /**
   * The tag of a list (RFC 9110, ETag), without its rows. While the tag is the same, the rows
   * are the same. Undefined if a proxy removes the tag.
   */
  tag(query: Unsorted<ListParameters<Of>>, options?: TagOptions): Promise<string | undefined>;

  /**
   * What has changed since a position, page by page. Waits for further changes until the signal
   * aborts. With the option `once`, ends at the present end of the feed. A change contains
   * the record as it is now. A position that is too old throws an `ApiProblem` with status 410.
   */
  changes(
    query: ChangesParameters<Of>,
    options?: FollowOptions,
  ): AsyncGenerator<ChangesPage<Of>, void>;

  /**
   * Fills a copy with all transactions of the types, then applies every change to it. Ends as
   * `changes` does.
   */
  sync(
    copy: CopyStore<Of>,
    query: Omit<ChangesParameters<Of>, 'after'>,
    options?: FollowOptions,
  ): Promise<void>;

  /** Counts and sums of the transactions by group. */
  summary<Grouping extends GroupingOf<Of> = never>(
    query: SummaryParameters<Of, Grouping>,
    options?: Cancellable,
  ): Promise<readonly Group<Of, Grouping>[]>;

  /**
   * Downloads the whole list in the requested format. Throws if the download is incomplete. Only
   * NDJSON and CSV accept `sort`, because only they are read in pages.
   */
  download(query: DownloadParameters<Of>, target: Target, options?: Options): Promise<Progress>;
}

export function transactionsOf<Of extends Role, Target, Options extends DownloadOptions>(
  connection: Connection,
  role: Of,
  download: Download<Target, Options>,
  noOptions: Options,
): Transactions<Of, Target, Options> {
  const path = `/api/${role}/transactions`;
  const untyped = {
    list: (parameters: QueryParameters, options: ListOptions = {}) =>
      rowsOf(connection, { path, parameters }, options),
    get: async (type: string, transactionId: number, options: Cancellable = {}) => {
      const own = `${path}/${encodeURIComponent(type)}/${encodeURIComponent(transactionId)}`;
      return await requestJson(connection, { path: own, parameters: {} }, options);
    },
    page: async (parameters: QueryParameters, options: PageOptions = {}) =>
      await pageOf(connection, path, parameters, options),
    tag: async (parameters: QueryParameters, options: TagOptions = {}) =>
      await tagOf(connection, path, parameters, options),
    changes: (parameters: QueryParameters, options: FollowOptions = {}) =>
      followChanges(connection, `${path}/changes`, parameters, options),
    sync: async (copy: CopyStore<Of>, parameters: QueryParameters, options: FollowOptions = {}) =>
      await syncCopy(connection, path, copy, parameters, options),
    summary: async (parameters: QueryParameters, options: Cancellable = {}) =>
      await requestJson(connection, { path: `${path}/summary`, parameters }, options),
    download: async (parameters: QueryParameters, target: Target, options: Options = noOptions) =>
      await download(connection, { path, parameters }, target, options),
  };
  // The types come from the OpenAPI document, and tests hold the service to it.
  return untyped as unknown as Transactions<Of, Target, Options>;
}

async function pageOf(
  connection: Connection,
  path: string,
  query: QueryParameters,
  { count = false, signal }: PageOptions,
): Promise<RowsPage<unknown>> {
  const headers: Record<string, string> = count ? { prefer: 'count=exact' } : {};
  const parameters = { ...query, format: 'ndjson' };
  const { bytes, next, total } = await readPage(connection, { path, parameters, headers }, signal);
  return { rows: [...parseLines(new TextDecoder().decode(bytes))], next, total };
}

async function tagOf(
  connection: Connection,
  path: string,
  query: QueryParameters,
  { known, signal }: TagOptions,
): Promise<string | undefined> {
  const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known };
  const parameters = { ...query, format: 'ndjson' };
  const request = { path, parameters, headers, method: 'HEAD' } as const;
  return await connection.request(
    request,
    async (response) =>
      response.headers.get('etag') ?? (response.status === 304 ? known : undefined),
    signal,
  );
}
