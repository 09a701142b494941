/** The service as the explorer asks it: by the project's client, at the endpoints of the token's role alone. */

import { createClient, type Me, type RowsPage } from '../../client/src/index.ts';
import type { Audience } from '../../src/contract/records.ts';
import type { Question, Values } from './question.ts';

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
  readonly role: Audience;
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

/** Signs in; throws the client's errors. */
export async function signIn(token: string, language: string): Promise<Service> {
  const access = { baseUrl: serviceUrl(), token, language };
  const asking = createClient({ ...access, ...OF_QUESTIONS });
  const taking = createClient({ ...access, ...OF_DOWNLOADS });
  const me = await asking.me();
  // The names and values of questions are those of the contract, from which the client's types come.
  const { page, summary } = asking[me.role].transactions as unknown as Transactions;
  const { download } = taking[me.role].transactions as unknown as Transactions;
  return {
    me,
    role: me.role,
    transactions: { page, summary, download },
    whoAmI: async (options) => await asking.me(options),
  };
}
