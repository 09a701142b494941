/** API requests of the explorer, through the project's client and for the role of the token. */

import {
  createClient,
  type Me,
  type RowsPage,
  type Tokens,
  type Webhooks,
} from '../../../client/src/index.ts';
import type { CsvVariant } from '../../../src/contract/query/formats.ts';
import type { ListedDirectory } from '../../../src/contract/record/directory.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { type ApiQuery, clientParameters, type ResultRow } from '../query/api-query.ts';
import { requestPerformanceCsv } from './performance-csv.ts';

interface RequestOptions {
  readonly signal?: AbortSignal;
}

interface DownloadOptions extends RequestOptions {
  readonly onProgress?: (progress: { readonly bytes: number; readonly total?: number }) => void;
}

/** The client's methods for one role, with parameters built from the contract. */
interface Transactions<Query = ApiQuery> {
  get(kind: Kind, id: number, options?: RequestOptions): Promise<ResultRow>;
  page(query: Query, options?: RequestOptions): Promise<RowsPage<ResultRow>>;
  summary(query: Query, options?: RequestOptions): Promise<readonly ResultRow[]>;
  download(
    query: Query,
    target: WritableStream<Uint8Array>,
    options?: DownloadOptions,
  ): Promise<{ readonly bytes: number }>;
}

/** Lists programs or publishers with their names. */
type Directory = (
  of: ListedDirectory,
  query: ApiQuery,
  options?: RequestOptions,
) => Promise<readonly ResultRow[]>;

/** Measures and ratios by group, of all types of transactions. */
type Performance<Query = ApiQuery> = (
  query: Query,
  options?: RequestOptions,
) => Promise<readonly ResultRow[]>;

type ClientParameters = ReturnType<typeof clientParameters>;

export interface Service {
  readonly me: Me;
  readonly role: Role;
  readonly transactions: Transactions;
  directory: Directory;
  performance: Performance;
  /** Only for tokens that manage tokens. */
  readonly tokens: Tokens;
  /** Only for tokens that manage tokens. */
  readonly webhooks: Webhooks;
  /** Performance as CSV, streamed. Throws the client's error if the service refuses the request. */
  performanceCsv(
    query: ApiQuery,
    variant: CsvVariant,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  /** The current state of {@link me}. */
  whoAmI(options: RequestOptions): Promise<Me>;
}

/** The base URL of the service: the address of this page. */
export const serviceUrl = (): string => new URL('.', location.href).href.replace(/[?#].*$/, '');

/** Few retries with short waits, because the user is waiting for the response or the error. */
const QUERY_RETRIES = { retries: 2, longestWait: 10 };

/** A long download waits until the limit of requests per minute resets. */
const DOWNLOAD_RETRIES = { retries: 5, longestWait: 90 };

/** Checks the token and returns the service. Throws the client's errors. */
export async function openService(
  token: () => Promise<string>,
  language: () => string,
  signal: AbortSignal,
): Promise<Service> {
  const client = clientByLanguage(token, language, QUERY_RETRIES);
  const downloadClient = clientByLanguage(token, language, DOWNLOAD_RETRIES);
  const me = await client().me({ signal });
  // The casts are safe, because the parameters and the client's types both come from the contract.
  const of = (some: Client) =>
    some[me.role].transactions as unknown as Transactions<ClientParameters>;
  const directoryOf =
    (some: Client): Directory =>
    async (name, query, options) =>
      (await some[me.role][name](query, options)) as unknown as readonly ResultRow[];
  const performanceOf = (some: Client) =>
    some[me.role].performance as unknown as Performance<ClientParameters>;
  return {
    me,
    role: me.role,
    transactions: {
      get: async (...given) => await of(client()).get(...given),
      page: async (query, ...given) => await of(client()).page(clientParameters(query), ...given),
      summary: async (query, ...given) =>
        await of(client()).summary(clientParameters(query), ...given),
      download: async (query, ...given) =>
        await of(downloadClient()).download(clientParameters(query), ...given),
    },
    directory: async (name, ...given) => await directoryOf(client())(name, ...given),
    performance: async (query, ...given) =>
      await performanceOf(client())(clientParameters(query), ...given),
    tokens: {
      list: async (options) => await client().admin.tokens.list(options),
      create: async (...given) => await client().admin.tokens.create(...given),
      createLink: async (...given) => await client().admin.tokens.createLink(...given),
      revoke: async (...given) => await client().admin.tokens.revoke(...given),
    },
    webhooks: {
      list: async (...given) => await client().admin.webhooks.list(...given),
      add: async (...given) => await client().admin.webhooks.add(...given),
      pause: async (...given) => await client().admin.webhooks.pause(...given),
      resume: async (...given) => await client().admin.webhooks.resume(...given),
      rotate: async (...given) => await client().admin.webhooks.rotate(...given),
      test: async (...given) => await client().admin.webhooks.test(...given),
      replay: async (...given) => await client().admin.webhooks.replay(...given),
      remove: async (...given) => await client().admin.webhooks.remove(...given),
    },
    performanceCsv: async (query, variant, signal) =>
      await requestPerformanceCsv({
        base: serviceUrl(),
        role: me.role,
        token: await token(),
        language: language(),
        query,
        variant,
        signal,
        findProblem: async () =>
          await performanceOf(client())(clientParameters({ ...query, limit: '1' })),
      }),
    whoAmI: async (options) => await client().me(options),
  };
}

type Client = ReturnType<typeof createClient>;

/** Returns the client of the current language: a client has one language. */
function clientByLanguage(
  token: () => Promise<string>,
  language: () => string,
  retries: typeof QUERY_RETRIES,
) {
  const clients = new Map<string, Client>();
  return (): Client => {
    const now = language();
    const known = clients.get(now);
    if (known !== undefined) return known;
    const client = createClient({ baseUrl: serviceUrl(), token, language: now, ...retries });
    clients.set(now, client);
    return client;
  };
}
