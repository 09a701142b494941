/** The service as the explorer asks it: by the project's client, at the endpoints of the token's role alone. */

import { createClient, type Me, type RowsPage } from '../../client/src/index.ts';
import type { Audience } from '../../src/contract/records.ts';
import type { Question, Values } from './question.ts';

interface Stop {
  readonly signal?: AbortSignal;
}

interface Saving extends Stop {
  readonly onProgress?: (progress: { readonly bytes: number }) => void;
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
}

/** Where the service is: this page is its root. */
export const serviceUrl = (): string => new URL('.', location.href).href.replace(/[?#].*$/, '');

/** Signs in; throws the client's errors. */
export async function signIn(token: string, language: string): Promise<Service> {
  const client = createClient({
    baseUrl: serviceUrl(),
    token,
    language,
    retries: 2,
    longestWait: 10,
  });
  const me = await client.me();
  // The names and values of questions are those of the contract, from which the client's types come.
  const transactions = client[me.role].transactions as unknown as Transactions;
  return { me, role: me.role, transactions };
}
