/** Requests performance as CSV, which the project's client does not read. */

import type { CsvVariant } from '../../../src/contract/query/formats.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { type ApiQuery, urlParameters } from '../query/api-query.ts';

interface CsvRequest {
  /** The address of the service, with a slash at its end. */
  readonly base: string;
  readonly role: Role;
  readonly token: string;
  readonly language: string;
  readonly query: ApiQuery;
  readonly variant: CsvVariant;
  readonly signal: AbortSignal;
  /** Makes the same request through the client, which throws the problem. */
  readonly findProblem: () => Promise<unknown>;
}

/** For spreadsheets with the decimal separator of a language tag. They do not run its texts as formulas. */
export function csvVariantOf(tag: string): CsvVariant {
  const parts = new Intl.NumberFormat(tag).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',')
    ? 'excel'
    : 'excel-en';
}

/** Throws the client's error if the service refuses the request. */
export async function requestPerformanceCsv({
  base,
  role,
  token,
  language,
  query,
  variant,
  signal,
  findProblem,
}: CsvRequest): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const parameters = new URLSearchParams(urlParameters({ ...query, format: 'csv', csv: variant }));
  const response = await fetch(`${base}api/${role}/performance?${parameters}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    cache: 'no-store',
    signal,
  });
  if (response.ok && response.body !== null) return response.body;
  await response.body?.cancel();
  await findProblem();
  throw new Error(`The service refused the CSV with status ${response.status}.`);
}
