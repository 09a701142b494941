/** Turns an error response into an ApiProblem, or an UnexpectedResponse if the service did not send it. */

import { ApiProblem, UnexpectedResponse } from '../errors.ts';
import type { ProblemBody } from '../model.ts';
import { mediaTypeOf } from './media-types.ts';

export const isProblemType = (response: Response): boolean =>
  mediaTypeOf(response) === 'application/problem+json';

/** The error for a response without a success status. */
export async function errorOf(response: Response): Promise<ApiProblem | UnexpectedResponse> {
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const body = isProblemType(response) ? parsed(await response.text()) : undefined;
  if (isProblem(body)) return new ApiProblem(body, retryAfter);
  return await unexpectedResponse(response, retryAfter);
}

/** The error for a response of another server or a proxy. */
export async function unexpectedResponse(
  response: Response,
  retryAfter?: number,
): Promise<UnexpectedResponse> {
  if (!response.bodyUsed) await response.body?.cancel();
  return new UnexpectedResponse(
    `Unexpected response with status ${response.status} and ${mediaTypeOf(response)}: check whether the base URL is right.`,
    response.status,
    retryAfter,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' &&
  body !== null &&
  'status' in body &&
  typeof body.status === 'number' &&
  ['code', 'title', 'detail', 'request_id'].every((name) => isText(body, name));

const isText = (body: object, name: string): boolean =>
  typeof Object.getOwnPropertyDescriptor(body, name)?.value === 'string';

/** Reads `Retry-After`: seconds, or the date that some proxies send (RFC 9110, 10.2.3). */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
