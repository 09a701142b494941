/** Requests performance as CSV, which the project's client does not read. */

import type { Role } from '../../../src/contract/record/records.ts';
import { type ApiQuery, urlParameters } from '../query/api-query.ts';

interface CsvRequest {
  /** The address of the service, with a slash at its end. */
  readonly base: string;
  readonly role: Role;
  readonly token: string;
  readonly language: string;
  readonly query: ApiQuery;
  /** Makes the same request through the client, which throws the problem. */
  readonly findProblem: () => Promise<unknown>;
}

/** Throws the client's error if the service refuses the request. */
export async function requestPerformanceCsv({
  base,
  role,
  token,
  language,
  query,
  findProblem,
}: CsvRequest): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const parameters = new URLSearchParams(urlParameters({ ...query, format: 'csv' }));
  const response = await fetch(`${base}api/${role}/performance?${parameters}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    cache: 'no-store',
  });
  if (response.ok && response.body !== null) return response.body;
  await response.body?.cancel();
  await findProblem();
  throw new Error(`The service refused the CSV with status ${response.status}.`);
}
