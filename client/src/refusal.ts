/** Reads why a request was refused. */

import { ApiProblem, UnexpectedAnswer } from './errors.ts';
import type { ProblemBody } from './model.ts';

const MEDIA_TYPE = 'application/problem+json';

/** The error that an answer other than a success stands for. */
export async function refusalOf(response: Response): Promise<ApiProblem | UnexpectedAnswer> {
  const { status, headers } = response;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const mediaType = headers.get('content-type') ?? 'no type';
  const body: unknown = mediaType.startsWith(MEDIA_TYPE) ? await response.json() : undefined;
  if (isProblem(body)) return new ApiProblem(body, retryAfter);
  await response.body?.cancel();
  return new UnexpectedAnswer(
    `The answer is ${status} with ${mediaType}, and not of this service: see whether the base URL is right.`,
    status,
    retryAfter,
  );
}

const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' &&
  body !== null &&
  ['code', 'title', 'detail', 'request_id'].every((name) => name in body && isText(body, name)) &&
  'status' in body &&
  typeof body.status === 'number';

const isText = (body: object, name: string): boolean =>
  typeof Object.getOwnPropertyDescriptor(body, name)?.value === 'string';

/** Seconds, or the date of RFC 9110 (10.2.3) that proxies send. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
