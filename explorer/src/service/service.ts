/** The service as the explorer asks it: by the project's client, at the endpoints of the token's role alone. */

import { createClient, type Me, type RowsPage } from '../../../client/src/index.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import type { Question, Values } from '../query/question.ts';

interface Stop {
  readonly signal?: AbortSignal;
}

interface Saving extends Stop {
  readonly onProgress?: (progress: { readonly bytes: number; readonly total?: number }) => void;
}

/** What the client can ask for one role, by parameters that are put together from the contract. */
interface Transactions {
  page(question: Question, options?: Stop): Promise<RowsPage<Values>>;
  summary(question: Question, options?: Stop): Promise<readonly Values[]>;
  download(
    question: Question,
    target: WritableStream<Uint8Array>,
    options?: Saving,
  ): Promise<{ readonly bytes: number }>;
}

export interface Service {
  readonly me: Me;
  readonly role: Role;
  readonly transactions: Transactions;
  /** The same as {@link me}, as it is now. */
  whoAmI(options: Stop): Promise<Me>;
}

/** Where the service is: this page is its root. */
export const serviceUrl = (): string => new URL('.', location.href).href.replace(/[?#].*$/, '');

/** Whoever looks at the page is told soon. */
const OF_QUESTIONS = { retries: 2, longestWait: 10 };

/** A long download waits for the next minute where this one's requests are used up. */
const OF_DOWNLOADS = { retries: 5, longestWait: 90 };

/** Signs in, and asks each time in the language that counts then; throws the client's errors. */
export async function signIn(
  token: string,
  language: () => string,
  signal: AbortSignal,
): Promise<Service> {
  const asking = byLanguage(token, language, OF_QUESTIONS);
  const taking = byLanguage(token, language, OF_DOWNLOADS);
  const me = await asking().me({ signal });
  // The names and values of questions are those of the contract, from which the client's types come.
  const of = (client: Client) => client[me.role].transactions as unknown as Transactions;
  return {
    me,
    role: me.role,
    transactions: {
      page: async (...asked) => await of(asking()).page(...asked),
      summary: async (...asked) => await of(asking()).summary(...asked),
      download: async (...asked) => await of(taking()).download(...asked),
    },
    whoAmI: async (options) => await asking().me(options),
  };
}

type Client = ReturnType<typeof createClient>;

/** A client has one language. */
function byLanguage(token: string, language: () => string, patience: typeof OF_QUESTIONS) {
  const clients = new Map<string, Client>();
  return (): Client => {
    const now = language();
    const known = clients.get(now);
    if (known !== undefined) return known;
    const client = createClient({ baseUrl: serviceUrl(), token, language: now, ...patience });
    clients.set(now, client);
    return client;
  };
}
