/** The transactions of one role: as rows, pages, sums and files. */

import type { Download, DownloadOptions, Progress } from './download.ts';
import { valuesOf } from './lists/lines.ts';
import { readPage } from './lists/pages.ts';
import { type ListOptions, rowsOf, type Stoppable } from './lists/rows.ts';
import type {
  ChosenRow,
  DownloadQuestion,
  FieldOf,
  Group,
  GroupingOf,
  ListQuestion,
  PageQuestion,
  Role,
  SummaryQuestion,
} from './model.ts';
import { type Connection, type Question, unlessCut } from './transport/connection.ts';
import type { Parameters } from './transport/query-string.ts';

export interface PageOptions extends Stoppable {
  /** Asks how many rows the question has on all its pages. */
  readonly count?: boolean | undefined;
}

export interface TagOptions extends Stoppable {
  /** The tag of before: to learn that it still holds costs the service least. */
  readonly known?: string | undefined;
}

export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  /** The `cursor` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** How many rows there are on all pages, where `count` asked for it. */
  readonly total: number | undefined;
}

export interface Transactions<Of extends Role, Target, Options extends DownloadOptions> {
  /**
   * The rows of a question in its order, however many there are: each once by `created_at`, the
   * date of questions without a `date_field`. By another date, a row that an import changes
   * meanwhile moves: in ascending order it may come again, as changed, and in descending order it
   * may be missed.
   *
   * Goes by pages, each of which is asked for again where its connection is cut. Leaving the loop
   * ends the question.
   */
  list<Field extends FieldOf<Of> = FieldOf<Of>>(
    question: ListQuestion<Of, Field>,
    options?: ListOptions,
  ): AsyncGenerator<ChosenRow<Of, Field>, void>;

  /** One page, for whoever shows pages. */
  page<Field extends FieldOf<Of> = FieldOf<Of>>(
    question: PageQuestion<Of, Field>,
    options?: PageOptions,
  ): Promise<RowsPage<ChosenRow<Of, Field>>>;

  /**
   * The tag of a list (RFC 9110, ETag), without its rows: while it is the same, no row was added or
   * changed. Undefined where a proxy takes it away.
   */
  tag(question: ListQuestion<Of>, options?: TagOptions): Promise<string | undefined>;

  /** What the transactions add up to, in groups. */
  summary<Grouping extends GroupingOf<Of> = never>(
    question: SummaryQuestion<Of, Grouping>,
    options?: Stoppable,
  ): Promise<readonly Group<Of, Grouping>[]>;

  /** The whole list in the format of the question, complete or not there. */
  download(question: DownloadQuestion<Of>, target: Target, options?: Options): Promise<Progress>;
}

export function transactionsOf<Of extends Role, Target, Options extends DownloadOptions>(
  connection: Connection,
  role: Of,
  download: Download<Target, Options>,
  noOptions: Options,
): Transactions<Of, Target, Options> {
  const path = `/api/${role}/transactions`;
  const untyped = {
    list: (parameters: Parameters, options: ListOptions = {}) =>
      rowsOf(connection, { path, parameters }, options),
    page: async (parameters: Parameters, options: PageOptions = {}) =>
      await pageOf(connection, path, parameters, options),
    tag: async (parameters: Parameters, options: TagOptions = {}) =>
      await tagOf(connection, path, parameters, options),
    summary: async (parameters: Parameters, options: Stoppable = {}) =>
      await askForJson(connection, { path: `${path}/summary`, parameters }, options),
    download: async (parameters: Parameters, target: Target, options: Options = noOptions) =>
      await download(connection, { path, parameters }, target, options),
  };
  // The service answers as its document says, from which the types are made.
  return untyped as unknown as Transactions<Of, Target, Options>;
}

async function pageOf(
  connection: Connection,
  path: string,
  asked: Parameters,
  { count = false, signal }: PageOptions,
): Promise<RowsPage<unknown>> {
  const headers: Record<string, string> = count ? { prefer: 'count=exact' } : {};
  const parameters = { ...asked, format: 'ndjson' };
  const { bytes, next, total } = await readPage(connection, { path, parameters, headers }, signal);
  return { rows: [...valuesOf(new TextDecoder().decode(bytes))], next, total };
}

async function tagOf(
  connection: Connection,
  path: string,
  asked: Parameters,
  { known, signal }: TagOptions,
): Promise<string | undefined> {
  const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known };
  const parameters = { ...asked, format: 'ndjson' };
  const question = { path, parameters, headers, method: 'HEAD' } as const;
  return await connection.ask(
    question,
    async (response) =>
      response.headers.get('etag') ?? (response.status === 304 ? known : undefined),
    signal,
  );
}

/** An answer that is one JSON text. */
export const askForJson = async (
  connection: Connection,
  question: Question,
  { signal }: Stoppable,
): Promise<unknown> =>
  await connection.ask(
    question,
    async (response) => await unlessCut(signal, async () => await response.json()),
    signal,
  );
